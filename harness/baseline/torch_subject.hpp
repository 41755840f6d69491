#pragma once

#include <vector>

#include "baseline/arena_allocator.hpp"
#include "runner/serve.hpp"

#include <ATen/core/Tensor.h>

namespace robust_kbench {

// The common part of torch's subjects: a batch's tensors, its memory and the place of its results.
//
// On the CPU the batch's memory is the arena. On a GPU torch's own allocator provides it, and only
// the results of the batch's first call are kept. The memory of the other results is reused, as in
// everyday use.
class TorchSubject : public Subject {
 public:
  // `allocator` is null on a GPU.
  TorchSubject(Arena& arena, ArenaAllocator* allocator) : m_arena(arena), m_allocator(allocator) {}

  Loaded load(const Load&) override { return {.parameters = {}, .headers = KernelHeaders::torch}; }
  void prepare(const std::vector<Call>& calls) final;
  void call(std::size_t index) final;
  std::vector<std::vector<ResultValue>> collect() override;
  bool drop_results(std::size_t index) final;
  void release() final;

 protected:
  // `tensors` are the arguments of a call, undefined where the config has none.
  virtual void add_call(std::vector<at::Tensor> tensors) = 0;
  virtual std::vector<at::Tensor> results_of_call(std::size_t index) = 0;
  virtual void drop_calls() = 0;

  std::vector<std::vector<at::Tensor>> m_results;  // by call

 private:
  Arena& m_arena;
  ArenaAllocator* m_allocator;
};

}  // namespace robust_kbench
