#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace robust_kbench {

// Some bytes of the outputs of a batch's last call, as they were when it returned: the worker looks
// at once, and the broker at the same places when it has copied them. A kernel that returned before
// its work was done may have done it in between.
struct OutputSample {
  // Says which bytes: of each output that is not empty by a key of its own, counted from this one.
  // Drawn when the call has returned.
  std::uint64_t key = 0;
  std::vector<std::byte> seen;  // of one output after another
};

// `count` bytes of an output from `first` on, `stride` apart, and its last one, which is written
// last by whoever writes in order.
struct SamplePlaces {
  std::size_t first = 0;
  std::size_t stride = 1;
  std::size_t count = 0;
  std::size_t last = 0;

  // Which they are follows from the key. Of an output of at least one byte.
  static SamplePlaces of(std::size_t bytes, std::uint64_t key);
  [[nodiscard]] std::vector<std::int64_t> offsets() const;
};

// Of outputs in the CPU's memory. Empty ones have nothing to see.
OutputSample sample(const std::vector<std::span<const std::byte>>& outputs, std::uint64_t key);

}  // namespace robust_kbench
