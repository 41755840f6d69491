#include "baseline/eager_subject.hpp"

#include <string>
#include <utility>
#include <vector>

#include "baseline/torch_subject.hpp"
#include "tensor/backward_graph.hpp"

#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>

namespace robust_kbench {
namespace {

// The arguments of a call by name.
Tensors named(const std::vector<std::string>& names, std::vector<at::Tensor> tensors) {
  Tensors by_name;
  for (std::size_t i = 0; i < names.size(); ++i) by_name.set(names[i], std::move(tensors.at(i)));
  return by_name;
}

class EagerForward final : public TorchSubject {
 public:
  EagerForward(const Workload& workload, Arena& arena, ArenaAllocator* allocator)
      : TorchSubject(arena, allocator), m_workload(workload), m_names(workload.tensor_names()) {}

 protected:
  void add_call(std::vector<at::Tensor> tensors) override {
    m_calls.push_back(named(m_names, std::move(tensors)));
  }

  std::vector<at::Tensor> results_of_call(std::size_t index) override {
    const c10::InferenceMode inference;
    return m_workload.task.forward(m_calls[index], m_workload.params);
  }

  void drop_calls() override { m_calls.clear(); }

 private:
  const Workload m_workload;
  const std::vector<std::string> m_names;
  std::vector<Tensors> m_calls;
};

class EagerBackward final : public TorchSubject {
 public:
  EagerBackward(const Workload& workload, Arena& arena, ArenaAllocator* allocator)
      : TorchSubject(arena, allocator), m_workload(workload), m_names(workload.tensor_names()) {}

  std::vector<std::vector<ResultValue>> collect() override {
    for (std::size_t i = 0; i < m_results.size(); ++i) {
      for (std::size_t j = 0; j < m_results[i].size(); ++j) {
        at::Tensor& gradient = m_results[i][j];
        if (!gradient.defined()) gradient = at::zeros_like(m_graphs[i].leaves()[j]);
      }
    }
    return TorchSubject::collect();
  }

 protected:
  void add_call(std::vector<at::Tensor> arguments) override {
    m_graphs.emplace_back(m_workload.task, m_workload.params, named(m_names, std::move(arguments)));
  }

  std::vector<at::Tensor> results_of_call(std::size_t index) override {
    return m_graphs[index].gradients(/*retain_graph=*/true);
  }

  void drop_calls() override { m_graphs.clear(); }

 private:
  const Workload m_workload;
  const std::vector<std::string> m_names;
  std::vector<BackwardGraph> m_graphs;
};

}  // namespace

std::unique_ptr<Subject> make_eager_subject(const Workload& workload, Arena& arena,
                                            ArenaAllocator* allocator) {
  if (workload.direction == Direction::forward) {
    return std::make_unique<EagerForward>(workload, arena, allocator);
  }
  return std::make_unique<EagerBackward>(workload, arena, allocator);
}

}  // namespace robust_kbench
