#include "check/guards.hpp"

#include <algorithm>
#include <string>

#include "check/bytes.hpp"

#include <ATen/ops/from_blob.h>

namespace robust_kbench {
namespace {

constexpr std::uint64_t long_range = std::uint64_t{1} << 20;

// Something that a kernel may write to, or an input: what lies around a stray write.
struct Neighbour {
  std::uint64_t begin;
  std::uint64_t end;
  std::string name;
};

std::vector<Neighbour> neighbours(const Placement& placement, const Given& given) {
  std::vector<Neighbour> all;
  for (const PlacedTensor& tensor : placement.tensors) {
    all.push_back({tensor.offset, tensor.end(),
                   "input '" + tensor.name + "' of " + std::to_string(tensor.bytes) + " bytes"});
  }
  for (const Allocation& allocation : given.allocations) {
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

// Row-major position of element `index`, as torch prints it: (1, 2).
std::string position(const at::Tensor& tensor, std::int64_t index) {
  std::string text;
  for (std::int64_t d = tensor.dim() - 1; d >= 0; --d) {
    text = std::to_string(index % tensor.size(d)) + (text.empty() ? "" : ", ") + text;
    index /= tensor.size(d);
  }
  return "(" + text + ")";
}

std::string element(const at::Tensor& tensor, std::int64_t index) {
  const at::Tensor value = tensor.view({-1}).select(0, index);
  return value.is_floating_point() ? std::to_string(value.item<double>())
                                   : std::to_string(value.item<std::int64_t>());
}

// The first byte of [begin, end) that is not poison; `end` where there is none. A GPU looks at a
// long range itself; where it finds something, the host finds out what.
std::uint64_t first_unpoisoned(const Arena& arena, std::uint64_t begin, std::uint64_t end,
                               std::uint64_t poison) {
  if (!arena.on_gpu() || end - begin < long_range) {
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

Given read_log(const Arena& arena, const Placement& placement, std::uint64_t poisoned_until) {
  const ArenaHeader header = arena.header();
  Given given{.poisoned_until = std::max(poisoned_until, header.poisoned_until)};
  const auto broken = [&](const std::string& what) {
    given.allocations.clear();
    given.broken = cheat(CheatClass::out_of_bounds_write,
                         "the kernel wrote to the allocator's own memory: " + what);
    return given;
  };
  if (header.allocation_count > arena.log().size() || given.poisoned_until > arena.size()) {
    return broken("its counters are beyond the arena");
  }
  const auto log = arena.log().first(header.allocation_count);
  given.allocations.assign(log.begin(), log.end());
  std::sort(given.allocations.begin(), given.allocations.end(),
            [](const Allocation& a, const Allocation& b) { return a.offset < b.offset; });
  std::uint64_t next = placement.kernel_begin;
  for (const Allocation& allocation : given.allocations) {
    const bool inside = allocation.offset >= next && allocation.offset <= arena.size() &&
                        allocation.bytes <= arena.size() - allocation.offset &&
                        allocation.offset % arena.alignment() == 0;
    if (!inside) return broken("its log holds what it never wrote there");
    next = allocation.offset + allocation.bytes;
  }
  return given;
}

std::optional<Finding> changed_input(const Arena& arena, const Placement& placement) {
  for (const PlacedTensor& tensor : placement.tensors) {
    const at::Tensor now = at::from_blob(arena.data() + tensor.offset, tensor.pristine.sizes(),
                                         tensor.pristine.options());
    if (same_bytes(now, tensor.pristine)) continue;
    const at::Tensor was = tensor.pristine.cpu();
    const at::Tensor is = now.cpu();
    const auto* begin = static_cast<const std::byte*>(was.const_data_ptr());
    const auto* changed = static_cast<const std::byte*>(is.const_data_ptr());
    const auto differs = std::mismatch(begin, begin + tensor.bytes, changed).first - begin;
    const std::int64_t index = differs / was.element_size();
    return cheat(CheatClass::input_mutation, "the kernel wrote to its input '" + tensor.name +
                                                 "': element " + position(was, index) + " was " +
                                                 element(was, index) + " and is " +
                                                 element(is, index));
  }
  return std::nullopt;
}

std::optional<Finding> write_out_of_bounds(const Arena& arena, const Placement& placement,
                                           const Given& given, std::uint64_t poison) {
  const std::vector<Neighbour> all = neighbours(placement, given);
  const Neighbour* before = nullptr;
  std::uint64_t next = placement.begin;
  for (std::size_t i = 0; i <= all.size(); ++i) {
    const Neighbour* after = i < all.size() ? &all[i] : nullptr;
    const std::uint64_t end = after != nullptr ? after->begin : given.poisoned_until;
    const std::uint64_t stray = end > next ? first_unpoisoned(arena, next, end, poison) : end;
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
