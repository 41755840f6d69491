#include "worker/table.hpp"

#include <algorithm>
#include <exception>

#include "exec/serve.hpp"
#include "worker/boxed_library.hpp"
#include "worker/elements.hpp"
#include "worker/tensor.hpp"

namespace robust_kbench {
namespace {

Arena* the_arena = nullptr;
thread_local std::string the_error;

const char* get_error() {
  return the_error.c_str();
}
void set_error(const char* message) {
  the_error = message == nullptr ? "" : message;
}

TensorLayout layout_of(const std::int64_t* sizes, const std::int64_t* strides, std::int32_t dim,
                       std::int32_t dtype, std::int32_t device_type, std::int32_t device_index) {
  const auto rank = static_cast<std::size_t>(std::max(dim, 0));
  return {.sizes = {sizes, rank},
          .strides = {strides, rank},
          .dtype = dtype,
          .device_type = device_type,
          .device_index = device_index};
}

// The bytes of a layout that this worker can make, or none and an error.
std::optional<std::size_t> checked_bytes(const TensorLayout& layout) {
  if (layout.device_type != RKB_CPU) {
    set_error("this worker has no CUDA");
    return std::nullopt;
  }
  const std::optional<std::size_t> bytes = layout_bytes(layout);
  if (!bytes) {
    set_error(("no tensor of dtype " + std::to_string(layout.dtype) +
               " has such sizes and strides: they must not be negative, and its bytes must fit in "
               "63 bits")
                  .c_str());
  }
  return bytes;
}

rkb_tensor* empty_strided(const std::int64_t* sizes, const std::int64_t* strides, std::int32_t dim,
                          std::int32_t dtype, std::int32_t device_type, std::int32_t device_index) {
  const TensorLayout layout = layout_of(sizes, strides, dim, dtype, device_type, device_index);
  const std::optional<std::size_t> bytes = checked_bytes(layout);
  if (!bytes) return nullptr;
  auto* storage = static_cast<std::byte*>(arena_allocate(*the_arena, *bytes));
  if (storage == nullptr) {
    set_error("");
    return nullptr;
  }
  return make_tensor(storage, layout);
}

rkb_tensor* from_blob(void* data, const std::int64_t* sizes, const std::int64_t* strides,
                      std::int32_t dim, std::int32_t dtype, std::int32_t device_type,
                      std::int32_t device_index) {
  const TensorLayout layout = layout_of(sizes, strides, dim, dtype, device_type, device_index);
  if (!checked_bytes(layout)) return nullptr;
  return make_tensor(static_cast<std::byte*>(data), layout);
}

rkb_tensor* as_strided(rkb_tensor* tensor, const std::int64_t* sizes, const std::int64_t* strides,
                       std::int32_t dim, std::int64_t storage_offset) {
  TensorLayout layout =
      layout_of(sizes, strides, dim, tensor->dtype, tensor->device_type, tensor->device_index);
  layout.storage_offset = storage_offset;
  if (!checked_bytes(layout)) return nullptr;
  if (storage_offset < 0) {
    set_error("as_strided: the storage offset must not be negative");
    return nullptr;
  }
  return make_tensor(static_cast<WorkerTensor*>(tensor)->storage, layout);
}

std::int32_t copy(rkb_tensor* destination, rkb_tensor* source) {
  const bool same_shape =
      destination->dim == source->dim &&
      std::equal(destination->sizes, destination->sizes + destination->dim, source->sizes);
  if (!same_shape) {
    set_error("copy: the shapes differ");
    return RKB_EXCEPTION;
  }
  copy_elements(*destination, *source);
  return RKB_OK;
}

std::int32_t fill(rkb_tensor* tensor, double value) {
  fill_elements(*tensor, value);
  return RKB_OK;
}

std::int32_t item(rkb_tensor* tensor, double* real, std::int64_t* integer) {
  if (tensor->numel == 0) {
    set_error("item: the tensor is empty");
    return RKB_EXCEPTION;
  }
  const Number number = first_element(*tensor);
  *real = number.real;
  *integer = number.integer;
  return RKB_OK;
}

std::int32_t call(const char* name, const char* overload, const rkb_value* arguments,
                  std::int32_t argument_count, rkb_value* results, std::int32_t max_results,
                  std::int32_t* result_count) {
  try {
    return boxed_call(worker_table())(name, overload, arguments, argument_count, results,
                                      max_results, result_count);
  } catch (const std::exception& error) {
    set_error(error.what());
    return RKB_EXCEPTION;
  }
}

// Without CUDA.
void* no_pointer() {
  set_error("this worker has no CUDA");
  return nullptr;
}
std::int32_t no_status() {
  no_pointer();
  return RKB_EXCEPTION;
}

const rkb_table the_table{
    .version = RKB_ABI_VERSION,
    .size = sizeof(rkb_table),
    .last_error = get_error,
    .set_error = set_error,
    .retain = retain,
    .release = release,
    .empty_strided = empty_strided,
    .from_blob = from_blob,
    .as_strided = as_strided,
    .copy = copy,
    .fill = fill,
    .item = item,
    .call = call,
    .current_stream = [](std::int32_t) { return no_pointer(); },
    .set_stream = [](void*, std::int32_t) { return no_status(); },
    .blas_handle = no_pointer,
    .current_device =
        [] {
          no_pointer();
          return std::int32_t{-1};
        },
    .set_device = [](std::int32_t) { return no_status(); },
};

}  // namespace

const rkb_table& worker_table() {
  return the_table;
}

void set_worker_arena(Arena& arena) {
  the_arena = &arena;
}

std::string last_error() {
  return the_error;
}

}  // namespace robust_kbench
