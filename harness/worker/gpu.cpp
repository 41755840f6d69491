#include "worker/gpu.hpp"

#include <array>
#include <bit>
#include <dlfcn.h>
#include <string>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "worker/tensor.hpp"

namespace robust_kbench {
namespace {

thread_local void* the_stream = nullptr;  // null: the legacy default stream, as in torch

std::size_t bytes_of(const rkb_tensor& tensor) {
  return static_cast<std::size_t>(tensor.numel) * element_size(tensor.dtype);
}

bool is_on_gpu(const rkb_tensor& tensor) {
  return tensor.device_type == RKB_CUDA;
}

template <typename Function>
Function find(void* library, const char* name) {
  const auto function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw HarnessError(std::string("cuBLAS has no ") + name);
  return function;
}

void* open_blas() {
  for (const char* name : {"libcublas.so.13", "libcublas.so.12"}) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  throw HarnessError(std::string("no cuBLAS: ") + dlerror());
}

}  // namespace

bool copy_on_gpu(const rkb_tensor& destination, const rkb_tensor& source) {
  if (destination.dtype != source.dtype || !is_contiguous(destination) || !is_contiguous(source)) {
    return false;
  }
  const CudaDriver& driver = cuda_driver();
  driver.check(
      driver.copy_async(CudaDriver::address_of(destination.data),
                        CudaDriver::address_of(source.data), bytes_of(destination), the_stream),
      "cuMemcpyAsync");
  if (!is_on_gpu(destination) || !is_on_gpu(source)) {
    driver.check(driver.synchronize(), "cuCtxSynchronize");
  }
  return true;
}

bool fill_on_gpu(const rkb_tensor& tensor, double value) {
  if (!is_contiguous(tensor)) return false;
  const CudaDriver& driver = cuda_driver();
  if (value == 0) {
    driver.check(driver.set_bytes_async(CudaDriver::address_of(tensor.data), 0, bytes_of(tensor),
                                        the_stream),
                 "cuMemsetD8Async");
    return true;
  }
  unsigned word = 0;
  if (tensor.dtype == RKB_FLOAT32) {
    word = std::bit_cast<unsigned>(static_cast<float>(value));
  } else if (tensor.dtype == RKB_INT32) {
    word = static_cast<unsigned>(static_cast<std::int32_t>(value));
  } else {
    return false;
  }
  driver.check(driver.set_words_async(CudaDriver::address_of(tensor.data), word,
                                      static_cast<std::size_t>(tensor.numel), the_stream),
               "cuMemsetD32Async");
  return true;
}

Number first_element_on_gpu(const rkb_tensor& tensor) {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.synchronize(), "cuCtxSynchronize");
  alignas(std::max_align_t) std::array<std::byte, 16> element{};
  driver.check(driver.copy(CudaDriver::address_of(element.data()),
                           CudaDriver::address_of(tensor.data), element_size(tensor.dtype)),
               "cuMemcpy");
  rkb_tensor on_host = tensor;
  on_host.data = element.data();
  return first_element(on_host);
}

void* current_stream() {
  return the_stream;
}

void set_current_stream(void* stream) {
  the_stream = stream;
}

void* blas_handle() {
  static void* const library = open_blas();
  static void* const handle = [] {
    void* made = nullptr;
    const int status = find<int (*)(void**)>(library, "cublasCreate_v2")(&made);
    if (status != 0) throw HarnessError("cublasCreate: status " + std::to_string(status));
    return made;
  }();
  find<int (*)(void*, void*)>(library, "cublasSetStream_v2")(handle, the_stream);
  return handle;
}

}  // namespace robust_kbench
