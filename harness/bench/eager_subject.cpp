#include "bench/eager_subject.hpp"

#include <utility>

#include "bench/worker_tensors.hpp"

#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

namespace robust_kbench {
namespace {

// What both directions share: tensors in, tensors out, memory of the batch.
class EagerSubject : public Subject {
 public:
  EagerSubject(Params params, std::vector<std::string> tensors, Arena& arena,
               ArenaAllocator& allocator)
      : m_params(std::move(params)),
        m_names(std::move(tensors)),
        m_arena(arena),
        m_allocator(allocator) {}

  Loaded load(const Load&) override { return {.parameters = {}, .headers = "torch"}; }

  void prepare(const std::vector<Call>& calls) override {
    m_allocator.begin_batch();
    m_outputs.resize(calls.size());
    for (const Call& call : calls) {
      Tensors tensors;
      for (std::size_t i = 0; i < m_names.size(); ++i) {
        tensors.set(m_names[i], tensor_of(m_arena, call.arguments.at(i)));
      }
      add_call(std::move(tensors));
    }
  }

  std::vector<std::vector<ResultValue>> collect() override {
    std::vector<std::vector<ResultValue>> results;
    for (const auto& outputs : m_outputs) results.push_back(results_of(m_arena, outputs));
    return results;
  }

  void release() override {
    m_outputs.clear();
    drop_calls();
    m_allocator.end_batch();
  }

 protected:
  virtual void add_call(Tensors tensors) = 0;
  virtual void drop_calls() = 0;

  const Params m_params;
  std::vector<std::vector<at::Tensor>> m_outputs;

 private:
  const std::vector<std::string> m_names;
  Arena& m_arena;
  ArenaAllocator& m_allocator;
};

class EagerForward final : public EagerSubject {
 public:
  EagerForward(const Task& task, Params params, std::vector<std::string> tensors, Arena& arena,
               ArenaAllocator& allocator)
      : EagerSubject(std::move(params), std::move(tensors), arena, allocator),
        m_forward(task.forward) {}

  void call(std::size_t index) override {
    const c10::InferenceMode inference;
    m_outputs[index] = {m_forward(m_calls[index], m_params)};
  }

 protected:
  void add_call(Tensors tensors) override { m_calls.push_back(std::move(tensors)); }
  void drop_calls() override { m_calls.clear(); }

 private:
  const decltype(Task::forward) m_forward;
  std::vector<Tensors> m_calls;
};

class EagerBackward final : public EagerSubject {
 public:
  EagerBackward(const Task& task, Params params, std::vector<std::string> tensors, Arena& arena,
                ArenaAllocator& allocator)
      : EagerSubject(std::move(params), std::move(tensors), arena, allocator),
        m_forward(task.forward),
        m_gradients(task.backward_contract->outputs) {}

  void call(std::size_t index) override {
    const Graph& graph = m_graphs[index];
    m_outputs[index] = torch::autograd::grad({graph.output}, graph.leaves, {graph.grad_output},
                                             /*retain_graph=*/true, /*create_graph=*/false,
                                             /*allow_unused=*/true);
  }

  std::vector<std::vector<ResultValue>> collect() override {
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
      for (std::size_t j = 0; j < m_outputs[i].size(); ++j) {
        at::Tensor& gradient = m_outputs[i][j];
        if (!gradient.defined()) gradient = at::zeros_like(m_graphs[i].leaves[j]);
      }
    }
    return EagerSubject::collect();
  }

 protected:
  void add_call(Tensors tensors) override {
    const c10::AutoGradMode with_grad(true);
    Graph graph;
    for (const Output& output : m_gradients) {
      graph.leaves.push_back(tensors[output.name]);
      graph.leaves.back().set_requires_grad(true);
    }
    graph.output = m_forward(tensors, m_params);
    graph.grad_output = tensors["grad_output"];
    m_graphs.push_back(std::move(graph));
  }

  void drop_calls() override { m_graphs.clear(); }

 private:
  struct Graph {
    at::Tensor output;
    at::Tensor grad_output;
    std::vector<at::Tensor> leaves;
  };

  const decltype(Task::forward) m_forward;
  const std::vector<Output> m_gradients;
  std::vector<Graph> m_graphs;
};

}  // namespace

std::unique_ptr<Subject> make_eager_subject(const Task& task, Direction direction,
                                            const Params& params, std::vector<std::string> tensors,
                                            Arena& arena, ArenaAllocator& allocator) {
  if (direction == Direction::forward) {
    return std::make_unique<EagerForward>(task, params, std::move(tensors), arena, allocator);
  }
  return std::make_unique<EagerBackward>(task, params, std::move(tensors), arena, allocator);
}

}  // namespace robust_kbench
