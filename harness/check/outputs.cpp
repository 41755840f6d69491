#include "check/outputs.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>

#include "check/bytes.hpp"
#include "tensor/torch_cuda.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

namespace robust_kbench {
namespace {

// The dtypes that a kernel can name (rkb_dtype).
constexpr std::array<at::ScalarType, 10> known_dtypes{
    at::kByte, at::kChar,  at::kShort,  at::kInt,  at::kLong,
    at::kHalf, at::kFloat, at::kDouble, at::kBool, at::kBFloat16};

std::optional<at::ScalarType> known_dtype(int value) {
  for (const at::ScalarType dtype : known_dtypes) {
    if (static_cast<int>(dtype) == value) return dtype;
  }
  return std::nullopt;
}

// The bytes from the first element to the end of the last, or nullopt if that overflows.
std::optional<std::uint64_t> extent(const TensorRef& ref, std::uint64_t element_bytes) {
  std::int64_t elements = 1;
  std::int64_t last = 0;
  for (std::size_t d = 0; d < ref.sizes.size(); ++d) {
    std::int64_t reach = 0;
    if (ref.sizes[d] < 0 || ref.strides[d] < 0 ||
        __builtin_mul_overflow(elements, ref.sizes[d], &elements)) {
      return std::nullopt;
    }
    if (ref.sizes[d] == 0) continue;
    if (__builtin_mul_overflow(ref.sizes[d] - 1, ref.strides[d], &reach) ||
        __builtin_add_overflow(last, reach, &last)) {
      return std::nullopt;
    }
  }
  std::uint64_t bytes = 0;
  if (elements == 0) return 0;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(last) + 1, element_bytes, &bytes)) {
    return std::nullopt;
  }
  return bytes;
}

bool within(std::uint64_t offset, std::uint64_t bytes, std::uint64_t begin, std::uint64_t end) {
  return offset >= begin && offset <= end && bytes <= end - offset;
}

bool was_given(const AllocationLog& log, std::uint64_t offset, std::uint64_t bytes) {
  const auto after = std::upper_bound(log.allocations.begin(), log.allocations.end(), offset,
                                      [](std::uint64_t wanted, const Allocation& allocation) {
                                        return wanted < allocation.offset;
                                      });
  if (after == log.allocations.begin()) return false;
  const Allocation& allocation = *std::prev(after);
  return within(offset, bytes, allocation.offset, allocation.offset + allocation.bytes);
}

bool is_input(const Placement& placement, std::uint64_t offset, std::uint64_t bytes) {
  return std::any_of(
      placement.tensors.begin(), placement.tensors.end(),
      [&](const PlacedTensor& t) { return within(offset, bytes, t.offset, t.end()); });
}

OutputSnapshot unusable(std::string problem) {
  OutputSnapshot snapshot;
  snapshot.problem = std::move(problem);
  return snapshot;
}

}  // namespace

OutputSnapshot snapshot(const Arena& arena, const Placement& placement, const AllocationLog& log,
                        const ResultValue& result) {
  if (std::holds_alternative<None>(result)) return {};
  const auto* ref = std::get_if<TensorRef>(&result);
  if (ref == nullptr) return unusable("is a number, not a tensor");
  const auto dtype = known_dtype(ref->dtype);
  if (!dtype) return unusable("has a dtype that does not exist");
  const c10::Device device = device_of(arena);
  if (ref->device_type != static_cast<int>(device.type())) {
    return unusable(arena.on_gpu() ? "is not on the GPU" : "is not on the CPU");
  }
  const auto bytes = extent(*ref, c10::elementSize(*dtype));
  if (!bytes) return unusable("has impossible sizes or strides");

  OutputSnapshot snapshot{.offset = ref->offset, .bytes = *bytes};
  snapshot.aliases_input = is_input(placement, snapshot.offset, snapshot.bytes);
  // An empty tensor has no memory, so its pointer means nothing.
  if (*bytes == 0) snapshot.offset = 0;
  if (*bytes != 0 && !snapshot.aliases_input && !was_given(log, snapshot.offset, snapshot.bytes)) {
    return unusable("lies outside of the memory that the kernel was given");
  }
  snapshot.copied = with_gpu_memory([&] {
    return at::empty({static_cast<std::int64_t>(std::max<std::uint64_t>(*bytes, 1))},
                     at::TensorOptions(at::kByte).device(device));
  });
  arena.read(snapshot.offset, snapshot.copied.mutable_data_ptr(), *bytes);
  snapshot.tensor = at::from_blob(
      snapshot.copied.mutable_data_ptr(), ref->sizes, ref->strides,
      [owner = snapshot.copied](void*) {}, at::TensorOptions(*dtype).device(device));
  return snapshot;
}

std::optional<ByteRange> given_range(const AllocationLog& log, const ResultValue& result) {
  const auto* ref = std::get_if<TensorRef>(&result);
  const auto dtype = ref != nullptr ? known_dtype(ref->dtype) : std::nullopt;
  const auto bytes = dtype ? extent(*ref, c10::elementSize(*dtype)) : std::nullopt;
  if (!bytes || *bytes == 0 || !was_given(log, ref->offset, *bytes)) return std::nullopt;
  return ByteRange{ref->offset, ref->offset + *bytes};
}

bool has_gaps(const TensorRef& tensor, const ByteRange& range) {
  const auto elements = std::accumulate(tensor.sizes.begin(), tensor.sizes.end(), std::uint64_t{1},
                                        std::multiplies<>());
  return elements * c10::elementSize(*known_dtype(tensor.dtype)) != range.end - range.begin;
}

bool unchanged(const Arena& arena, const OutputSnapshot& snapshot) {
  return snapshot.bytes == 0 ||
         same_bytes(snapshot.copied, bytes_at(arena, snapshot.offset, snapshot.bytes));
}

}  // namespace robust_kbench
