#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <kernel/robust_kbench_abi.h>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace robust_kbench {

// The private part of a table tensor. It does not own its elements' memory. Memory that a kernel
// allocates stays until the batch ends, and from_blob's memory belongs to the caller.
struct WorkerTensor : rkb_tensor {
  std::byte* storage = nullptr;  // storage_offset counts from here
  std::atomic<std::int32_t> references{1};
  std::size_t place = 0;  // among the live tensors
};

struct TensorLayout {
  std::span<const std::int64_t> sizes;
  std::span<const std::int64_t> strides;
  int dtype = RKB_FLOAT32;
  int device_type = RKB_CPU;
  int device_index = -1;
  std::int64_t storage_offset = 0;
};

// A tensor with one reference over `storage`.
rkb_tensor* make_tensor(std::byte* storage, const TensorLayout& layout);
void retain(rkb_tensor* tensor);
void release(rkb_tensor* tensor);

// All tensors that exist now.
std::vector<const WorkerTensor*> live_tensors();

// 0 for a dtype that the table does not have.
std::size_t element_size(int dtype);
// Bytes from element 0 to the end of the last element. Nothing if that exceeds an int64, or if the
// layout is malformed: negative sizes or strides, or an unknown dtype.
std::optional<std::size_t> layout_bytes(const TensorLayout& layout);

// Owns one reference to a tensor.
class TensorReference {
 public:
  explicit TensorReference(rkb_tensor* owned) : m_tensor(owned) {}
  TensorReference(TensorReference&& other) noexcept
      : m_tensor(std::exchange(other.m_tensor, nullptr)) {}
  TensorReference& operator=(TensorReference&& other) noexcept {
    std::swap(m_tensor, other.m_tensor);
    return *this;
  }
  ~TensorReference() {
    if (m_tensor != nullptr) release(m_tensor);
  }

  [[nodiscard]] rkb_tensor* get() const { return m_tensor; }

 private:
  rkb_tensor* m_tensor;
};

}  // namespace robust_kbench
