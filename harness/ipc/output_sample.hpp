#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace robust_kbench {

// Some bytes of a call's outputs, as they were when it returned. The worker reads them at once. The
// broker compares the same places when it copies the outputs. They differ if a kernel returned
// before its work was done, and finished it in between.
struct OutputSample {
  std::uint64_t call = 0;  // index in its batch
  // Decides which bytes are sampled. It is drawn after the call has returned. The first output that
  // is not empty has this key, and each further one the next number.
  std::uint64_t key = 0;
  std::vector<std::byte> seen;  // the bytes of one output after another
};

// The most calls within one batch whose outputs are sampled.
inline constexpr std::size_t most_looked_at = 4;

// `count` bytes of an output from `first` on, `stride` apart, and its last byte. Kernels that write
// in order write the last byte last.
struct SamplePlaces {
  std::size_t first = 0;
  std::size_t stride = 1;
  std::size_t count = 0;
  std::size_t last = 0;

  // The places are determined by the key. The output must have at least one byte.
  static SamplePlaces of(std::size_t bytes, std::uint64_t key);
  [[nodiscard]] std::vector<std::int64_t> offsets() const;
};

// Samples outputs in the CPU's memory, without empty ones.
OutputSample sample(const std::vector<std::span<const std::byte>>& outputs, std::uint64_t key);

}  // namespace robust_kbench
