#include "ipc/output_sample.hpp"

#include <algorithm>

#include "core/cipher.hpp"

namespace robust_kbench {
namespace {

// Few places, since each sampled byte may add a cache miss to the measured time.
constexpr std::size_t places_per_output = 16;

}  // namespace

SamplePlaces SamplePlaces::of(std::size_t bytes, std::uint64_t key) {
  const std::size_t count = std::min(places_per_output, bytes);
  // The stride is random between half the maximum and the maximum. With the maximum alone, the
  // samples could all be in the same column of each row.
  const std::size_t most = bytes / count;
  const std::size_t least = (most + 1) / 2;
  CipherStream random(key);
  const std::size_t stride = least + random.below(most - least + 1);
  const std::size_t reach = (count - 1) * stride;
  return {
      .first = random.below(bytes - reach), .stride = stride, .count = count, .last = bytes - 1};
}

std::vector<std::int64_t> SamplePlaces::offsets() const {
  std::vector<std::int64_t> offsets;
  for (std::size_t i = 0; i < count; ++i) {
    offsets.push_back(static_cast<std::int64_t>(first + i * stride));
  }
  offsets.push_back(static_cast<std::int64_t>(last));
  return offsets;
}

OutputSample sample(const std::vector<std::span<const std::byte>>& outputs, std::uint64_t key) {
  OutputSample output_sample{.call = 0, .key = key, .seen = {}};
  for (const std::span<const std::byte> output : outputs) {
    if (output.empty()) continue;
    for (const std::int64_t offset : SamplePlaces::of(output.size(), key++).offsets()) {
      output_sample.seen.push_back(output[static_cast<std::size_t>(offset)]);
    }
  }
  return output_sample;
}

}  // namespace robust_kbench
