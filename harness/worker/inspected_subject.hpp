#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "worker/kernel_subject.hpp"

namespace robust_kbench {

// A CUDA kernel that a sanitizer or a profiler looks at: its tensors are allocations of their own,
// each call waits for the GPU, and of a batch only the last call lies between cuProfilerStart and
// cuProfilerStop. Nobody asks for its outputs.
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
