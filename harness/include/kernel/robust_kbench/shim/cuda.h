#pragma once

// Empty without a CUDA toolkit, so that a kernel for the CPU may include these headers, too.
#if defined(__CUDACC__) || __has_include(<cuda_runtime_api.h>)

#include <cassert>
#include <cuda_runtime_api.h>

#include <robust_kbench/shim/device.h>
#include <robust_kbench/shim/table.h>
#ifndef RKB_WITHOUT_OPERATORS
#include <robust_kbench/shim/optional.h>
#endif

struct cublasContext;
typedef struct cublasContext* cublasHandle_t;

namespace rkb::cuda {

[[noreturn]] RKB_COLD inline void throw_cuda_error(cudaError_t status) {
  fail({"CUDA error: ", cudaGetErrorString(status)});
}
inline void check_cuda(cudaError_t status) {
  if (C10_UNLIKELY(status != cudaSuccess)) throw_cuda_error(status);
}

class CUDAStream {
 public:
  CUDAStream(cudaStream_t stream, DeviceIndex device) : m_stream(stream), m_device(device) {}

  cudaStream_t stream() const { return m_stream; }
  operator cudaStream_t() const { return m_stream; }
  DeviceIndex device_index() const { return m_device; }
  Device device() const { return {kCUDA, m_device}; }
  void synchronize() const { check_cuda(cudaStreamSynchronize(m_stream)); }

 private:
  cudaStream_t m_stream;
  DeviceIndex m_device;
};

inline DeviceIndex current_device() {
  const std::int32_t index = table->current_device();
  if (C10_UNLIKELY(index < 0)) throw_table_error();
  return static_cast<DeviceIndex>(index);
}
inline void set_device(DeviceIndex index) {
  check_status(table->set_device(index));
}

// A null stream is the legacy default stream.
inline CUDAStream getCurrentCUDAStream(DeviceIndex device = -1) {
  if (device < 0) device = current_device();
  return {static_cast<cudaStream_t>(table->current_stream(device)), device};
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex device = -1) {
  return {nullptr, device < 0 ? current_device() : device};
}
inline void setCurrentCUDAStream(CUDAStream stream) {
  check_status(table->set_stream(stream.stream(), stream.device_index()));
}
inline cublasHandle_t getCurrentCUDABlasHandle() {
  void* handle = table->blas_handle();
  if (C10_UNLIKELY(handle == nullptr)) throw_table_error();
  return static_cast<cublasHandle_t>(handle);
}

inline cudaDeviceProp* getDeviceProperties(DeviceIndex device) {
  static cudaDeviceProp properties;
  check_cuda(cudaGetDeviceProperties(&properties, device));
  return &properties;
}
inline cudaDeviceProp* getCurrentDeviceProperties() {
  static cudaDeviceProp* properties = getDeviceProperties(current_device());
  return properties;
}

// Makes a device current for its lifetime.
class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex device) : m_previous(current_device()) { set_index(device); }
  explicit CUDAGuard(Device device)
      : CUDAGuard(device.has_index() ? device.index() : current_device()) {}
  CUDAGuard(const CUDAGuard&) = delete;
  CUDAGuard& operator=(const CUDAGuard&) = delete;
  ~CUDAGuard() {
    if (m_changed) table->set_device(m_previous);
  }

  void set_index(DeviceIndex device) {
    if (device == m_previous && !m_changed) return;
    set_device(device);
    m_changed = true;
  }

 private:
  DeviceIndex m_previous;
  bool m_changed = false;
};

#ifndef RKB_WITHOUT_OPERATORS
// A guard that may be empty.
class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(Device device) { m_guard.emplace(device); }
  explicit OptionalCUDAGuard(optional<Device> device) {
    if (device.has_value()) m_guard.emplace(*device);
  }

 private:
  optional<CUDAGuard> m_guard;
};
#endif

// Makes a stream current for its lifetime.
class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(CUDAStream stream)
      : m_previous(getCurrentCUDAStream(stream.device_index())) {
    setCurrentCUDAStream(stream);
  }
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;
  ~CUDAStreamGuard() { table->set_stream(m_previous.stream(), m_previous.device_index()); }

 private:
  CUDAStream m_previous;
};

}  // namespace rkb::cuda

#define C10_CUDA_CHECK(expression)         \
  do {                                     \
    ::rkb::cuda::check_cuda((expression)); \
  } while (false)
#define AT_CUDA_CHECK(expression) C10_CUDA_CHECK(expression)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
#define CUDA_KERNEL_ASSERT(condition) assert(condition)

#endif
