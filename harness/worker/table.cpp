#include "worker/table.hpp"

#include <algorithm>
#include <exception>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <vector>

#include "runner/serve.hpp"
#include "worker/boxed_library.hpp"
#include "worker/elements.hpp"
#include "worker/gpu.hpp"
#include "worker/tensor.hpp"

namespace robust_kbench {
namespace {

KernelMemory* the_memory = nullptr;
thread_local std::string the_error;

constexpr const char* no_gpu = "a CPU kernel has no CUDA";

// The memory of a CUDA kernel's CPU tensors, since all its other memory is on the GPU.
std::mutex host_mutex;
std::vector<std::unique_ptr<std::byte[]>> host_memory;

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
          .device_index = device_type == RKB_CUDA ? 0 : device_index};
}

// The bytes of a layout. If this worker cannot make such a tensor, it returns nothing and sets an
// error.
std::optional<std::size_t> checked_bytes(const TensorLayout& layout) {
  if (layout.device_type != RKB_CPU && !(layout.device_type == RKB_CUDA && the_memory->on_gpu())) {
    set_error(no_gpu);
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

std::byte* allocate(int device_type, std::size_t bytes) {
  if ((device_type == RKB_CUDA) == the_memory->on_gpu()) {
    return the_memory->allocate(bytes);
  }
  const std::scoped_lock lock(host_mutex);
  host_memory.emplace_back(new (std::nothrow) std::byte[std::max<std::size_t>(bytes, 1)]);
  return host_memory.back().get();
}

rkb_tensor* empty_strided(const std::int64_t* sizes, const std::int64_t* strides, std::int32_t dim,
                          std::int32_t dtype, std::int32_t device_type, std::int32_t device_index) {
  const TensorLayout layout = layout_of(sizes, strides, dim, dtype, device_type, device_index);
  const std::optional<std::size_t> bytes = checked_bytes(layout);
  if (!bytes) return nullptr;
  std::byte* storage = allocate(layout.device_type, *bytes);
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

// Calls an operator of torch that changes its first argument and returns it.
std::int32_t call_in_place(const char* name, const char* overload,
                           std::initializer_list<rkb_value> arguments) {
  rkb_value result{};
  std::int32_t count = 0;
  const std::int32_t status = call(name, overload, arguments.begin(),
                                   static_cast<std::int32_t>(arguments.size()), &result, 1, &count);
  if (status == RKB_OK && result.kind == RKB_TENSOR) release(result.as.tensor);
  return status;
}

rkb_value value_of(rkb_tensor* tensor) {
  return {.kind = RKB_TENSOR, .length = 0, .as = {.tensor = tensor}};
}

// Returns the result of `work`. An exception becomes an error, since none must reach the kernel.
template <typename Work>
std::int32_t guarded(const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    set_error(error.what());
    return RKB_EXCEPTION;
  }
}

bool on_gpu(const rkb_tensor& tensor) {
  return tensor.device_type == RKB_CUDA;
}

std::int32_t copy(rkb_tensor* destination, rkb_tensor* source) {
  const bool same_shape =
      destination->dim == source->dim &&
      std::equal(destination->sizes, destination->sizes + destination->dim, source->sizes);
  if (!same_shape) {
    set_error("copy: the shapes differ");
    return RKB_EXCEPTION;
  }
  if (on_gpu(*destination) || on_gpu(*source)) {
    return guarded([&]() -> std::int32_t {
      if (copy_on_gpu(*destination, *source)) return RKB_OK;
      return call_in_place("aten::copy_", "", {value_of(destination), value_of(source)});
    });
  }
  copy_elements(*destination, *source);
  return RKB_OK;
}

std::int32_t fill(rkb_tensor* tensor, double value) {
  if (on_gpu(*tensor)) {
    return guarded([&]() -> std::int32_t {
      if (fill_on_gpu(*tensor, value)) return RKB_OK;
      return call_in_place(
          "aten::fill_", "Scalar",
          {value_of(tensor), {.kind = RKB_DOUBLE, .length = 0, .as = {.real = value}}});
    });
  }
  fill_elements(*tensor, value);
  return RKB_OK;
}

std::int32_t item(rkb_tensor* tensor, double* real, std::int64_t* integer) {
  if (tensor->numel == 0) {
    set_error("item: the tensor is empty");
    return RKB_EXCEPTION;
  }
  return guarded([&]() -> std::int32_t {
    const Number number = on_gpu(*tensor) ? first_element_on_gpu(*tensor) : first_element(*tensor);
    *real = number.real;
    *integer = number.integer;
    return RKB_OK;
  });
}

// A worker uses only GPU 0.
std::int32_t current_device() {
  if (the_memory->on_gpu()) return 0;
  set_error(no_gpu);
  return -1;
}

std::int32_t set_device(std::int32_t index) {
  if (current_device() == index) return RKB_OK;
  set_error(("device " + std::to_string(index) + " does not exist; a worker has one GPU").c_str());
  return RKB_EXCEPTION;
}

std::int32_t set_stream(void* stream, std::int32_t) {
  if (current_device() < 0) return RKB_EXCEPTION;
  set_current_stream(stream);
  return RKB_OK;
}

void* get_blas_handle() {
  if (current_device() < 0) return nullptr;
  void* handle = nullptr;
  guarded([&]() -> std::int32_t {
    handle = blas_handle();
    return RKB_OK;
  });
  return handle;
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
    .current_stream = [](std::int32_t) { return current_stream(); },
    .set_stream = set_stream,
    .blas_handle = get_blas_handle,
    .current_device = current_device,
    .set_device = set_device,
};

}  // namespace

const rkb_table& worker_table() {
  return the_table;
}

void set_worker_memory(KernelMemory& memory) {
  the_memory = &memory;
}

void release_host_memory() {
  const std::scoped_lock lock(host_mutex);
  if (!host_memory.empty() && live_tensors().empty()) host_memory.clear();
}

std::string last_error() {
  return the_error;
}

}  // namespace robust_kbench
