#include "baseline/eager_subject.hpp"

#include <utility>

#include "baseline/torch_subject.hpp"

#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

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
  EagerForward(const Task& task, Params params, std::vector<std::string> tensors, Arena& arena,
               ArenaAllocator* allocator)
      : TorchSubject(arena, allocator),
        m_params(std::move(params)),
        m_names(std::move(tensors)),
        m_forward(task.forward) {}

 protected:
  void add_call(std::vector<at::Tensor> tensors) override {
    m_calls.push_back(named(m_names, std::move(tensors)));
  }

  std::vector<at::Tensor> results_of_call(std::size_t index) override {
    const c10::InferenceMode inference;
    return {m_forward(m_calls[index], m_params)};
  }

  void drop_calls() override { m_calls.clear(); }

 private:
  const Params m_params;
  const std::vector<std::string> m_names;
  const decltype(Task::forward) m_forward;
  std::vector<Tensors> m_calls;
};

class EagerBackward final : public TorchSubject {
 public:
  EagerBackward(const Task& task, Params params, std::vector<std::string> tensors, Arena& arena,
                ArenaAllocator* allocator)
      : TorchSubject(arena, allocator),
        m_params(std::move(params)),
        m_names(std::move(tensors)),
        m_forward(task.forward),
        m_gradients(task.backward_contract->outputs) {}

  std::vector<std::vector<ResultValue>> collect() override {
    for (std::size_t i = 0; i < m_results.size(); ++i) {
      for (std::size_t j = 0; j < m_results[i].size(); ++j) {
        at::Tensor& gradient = m_results[i][j];
        if (!gradient.defined()) gradient = at::zeros_like(m_graphs[i].leaves[j]);
      }
    }
    return TorchSubject::collect();
  }

 protected:
  void add_call(std::vector<at::Tensor> arguments) override {
    const c10::AutoGradMode with_grad(true);
    const Tensors tensors = named(m_names, std::move(arguments));
    Graph graph;
    for (const Output& output : m_gradients) {
      graph.leaves.push_back(tensors[output.name]);
      graph.leaves.back().set_requires_grad(true);
    }
    graph.output = m_forward(tensors, m_params);
    graph.grad_output = tensors["grad_output"];
    m_graphs.push_back(std::move(graph));
  }

  std::vector<at::Tensor> results_of_call(std::size_t index) override {
    const Graph& graph = m_graphs[index];
    return torch::autograd::grad({graph.output}, graph.leaves, {graph.grad_output},
                                 /*retain_graph=*/true, /*create_graph=*/false,
                                 /*allow_unused=*/true);
  }

  void drop_calls() override { m_graphs.clear(); }

 private:
  struct Graph {
    at::Tensor output;
    at::Tensor grad_output;
    std::vector<at::Tensor> leaves;
  };

  const Params m_params;
  const std::vector<std::string> m_names;
  const decltype(Task::forward) m_forward;
  const std::vector<Output> m_gradients;
  std::vector<Graph> m_graphs;
};

}  // namespace

std::unique_ptr<Subject> make_eager_subject(const Task& task, Direction direction,
                                            const Params& params, std::vector<std::string> tensors,
                                            Arena& arena, ArenaAllocator* allocator) {
  if (direction == Direction::forward) {
    return std::make_unique<EagerForward>(task, params, std::move(tensors), arena, allocator);
  }
  return std::make_unique<EagerBackward>(task, params, std::move(tensors), arena, allocator);
}

}  // namespace robust_kbench
