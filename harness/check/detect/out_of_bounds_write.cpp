#include "check/detect/out_of_bounds_write.hpp"

#include <string>
#include <vector>

#include "check/bytes.hpp"

namespace robust_kbench {
namespace {

constexpr std::uint64_t least_gpu_bytes = std::uint64_t{1} << 20;

// An input or an allocation of the kernel beside a stray write.
struct Neighbour {
  std::uint64_t begin;
  std::uint64_t end;
  std::string name;
};

std::vector<Neighbour> neighbours(const Placement& placement, const AllocationLog& log) {
  std::vector<Neighbour> all;
  for (const PlacedTensor& tensor : placement.tensors) {
    all.push_back({tensor.offset, tensor.end(),
                   "input '" + tensor.name + "' of " + std::to_string(tensor.bytes) + " bytes"});
  }
  for (const Allocation& allocation : log.allocations) {
    all.push_back(
        {allocation.offset, allocation.offset + allocation.bytes,
         "a tensor of " + std::to_string(allocation.bytes) + " bytes that it had allocated"});
  }
  return all;
}

std::string where(std::uint64_t offset, const Neighbour* before, const Neighbour* after) {
  const bool past =
      after == nullptr || (before != nullptr && offset - before->end <= after->begin - offset);
  if (past && before != nullptr) {
    return std::to_string(offset - before->end + 1) + " bytes past the end of " + before->name;
  }
  if (after != nullptr) {
    return std::to_string(after->begin - offset) + " bytes before " + after->name;
  }
  return "into memory that it was not given";
}

// The first byte of [begin, end) that is not poison, or `end`. A GPU checks a long range itself. If
// it finds something, the host locates it.
std::uint64_t first_unpoisoned(const Arena& arena, std::uint64_t begin, std::uint64_t end,
                               std::uint64_t poison) {
  if (!arena.on_gpu() || end - begin < least_gpu_bytes) {
    return arena.first_unpoisoned(begin, end, poison);
  }
  const std::uint64_t first = (begin + 7) / 8 * 8;
  const std::uint64_t last = end / 8 * 8;
  const at::Tensor words = bytes_at(arena, first, last - first).view(at::kLong);
  if (!words.eq(static_cast<std::int64_t>(poison)).all().item<bool>()) {
    return arena.first_unpoisoned(begin, end, poison);
  }
  const std::uint64_t stray = arena.first_unpoisoned(begin, first, poison);
  return stray < first ? stray : arena.first_unpoisoned(last, end, poison);
}

}  // namespace

std::optional<Judgement> out_of_bounds_write(const BatchEvidence& evidence) {
  const std::vector<Neighbour> all = neighbours(evidence.placement, evidence.log);
  const Neighbour* before = nullptr;
  std::uint64_t next = evidence.placement.begin;
  for (std::size_t i = 0; i <= all.size(); ++i) {
    const Neighbour* after = i < all.size() ? &all[i] : nullptr;
    const std::uint64_t end = after != nullptr ? after->begin : evidence.log.poisoned_until;
    const std::uint64_t stray =
        end > next ? first_unpoisoned(evidence.arena, next, end, evidence.poison) : end;
    if (stray < end) {
      return cheat(CheatClass::out_of_bounds_write,
                   "the kernel wrote " + where(stray, before, after));
    }
    if (after != nullptr) next = after->end;
    before = after;
  }
  return std::nullopt;
}

}  // namespace robust_kbench
