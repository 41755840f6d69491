#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "worker/kernel_subject.hpp"

namespace robust_kbench {

// A CUDA kernel under a sanitizer or a profiler. Its tensors are separate allocations, and each
// call waits for the GPU. Only a batch's last call is between cuProfilerStart and cuProfilerStop.
// The broker never asks for its outputs.
class InspectedSubject : public KernelSubject {
 public:
  explicit InspectedSubject(Arena& arena);

  void prepare(const std::vector<robust_kbench::Call>& calls) override;
  void call(std::size_t index) override;
  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t index) const override;
  std::vector<std::vector<ResultValue>> collect() override;

 private:
  std::size_t m_last = 0;
};

}  // namespace robust_kbench
