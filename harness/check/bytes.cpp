#include "check/bytes.hpp"

#include <algorithm>
#include <cstring>

#include "tensor/torch_cuda.hpp"

#include <ATen/ops/equal.h>
#include <ATen/ops/from_blob.h>

namespace robust_kbench {
namespace {

at::Tensor bytes_of_memory(const void* data, std::uint64_t bytes, c10::Device device) {
  return at::from_blob(const_cast<void*>(data), {static_cast<std::int64_t>(bytes)},
                       at::TensorOptions(at::kByte).device(device));
}

// All 64-bit words of the arena.
at::Tensor words_of(const Arena& arena) {
  return bytes_at(arena, 0, arena.size() / sizeof(std::int64_t) * sizeof(std::int64_t))
      .view(at::kLong);
}

at::Tensor on_device_of(const Arena& arena, const std::vector<std::int64_t>& values) {
  return at::from_blob(const_cast<std::int64_t*>(values.data()),
                       {static_cast<std::int64_t>(values.size())}, at::kLong)
      .to(device_of(arena));
}

}  // namespace

std::uint64_t mask_of(std::uint64_t word, const ByteRange& range) {
  const std::uint64_t begin = std::max(range.begin, word * word_bytes) - word * word_bytes;
  const std::uint64_t end = std::min(range.end, (word + 1) * word_bytes) - word * word_bytes;
  return (~std::uint64_t{0} >> 8 * (word_bytes - (end - begin))) << 8 * begin;
}

c10::Device device_of(const Arena& arena) {
  return device_for(arena.on_gpu());
}

at::Tensor bytes_at(const Arena& arena, std::uint64_t offset, std::uint64_t bytes) {
  return bytes_of_memory(arena.data() + offset, bytes, device_of(arena));
}

at::Tensor words_at(const Arena& arena, const std::vector<std::int64_t>& indices) {
  return with_gpu_memory([&] { return words_of(arena).take(on_device_of(arena, indices)).cpu(); });
}

at::Tensor words_equal(const Arena& arena, const std::vector<std::int64_t>& indices,
                       const std::vector<std::int64_t>& masks, std::uint64_t expected) {
  return words_of(arena)
      .take(on_device_of(arena, indices))
      .bitwise_xor(static_cast<std::int64_t>(expected))
      .bitwise_and(on_device_of(arena, masks))
      .eq(0);
}

bool same_bytes(const at::Tensor& a, const at::Tensor& b) {
  if (a.nbytes() != b.nbytes()) return false;
  if (a.is_cpu()) return std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0;
  return at::equal(bytes_of_memory(a.const_data_ptr(), a.nbytes(), a.device()),
                   bytes_of_memory(b.const_data_ptr(), b.nbytes(), b.device()));
}

}  // namespace robust_kbench
