#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace robust_kbench {

struct CudaFacts {
  int device_count = 0;
  int compute_capability = 0;  // of GPU 0: 90
  std::string missing;         // the reason why no GPU is usable; empty if one is
};

// Loads the driver library at run time, since a machine without a GPU has none to link with.
CudaFacts cuda_facts();

// The functions of libcuda.so.1 that we call. They are declared here, since the suite also builds
// without a CUDA toolkit. The declarations are those of cuda.h since CUDA 12.5, which the driver
// keeps compatible.
struct CudaDriver {
  using Address = std::uint64_t;  // CUdeviceptr
  using Handle = std::uint64_t;   // CUmemGenericAllocationHandle
  using Graph = void*;            // CUgraph or CUgraphExec
  struct Location {
    int type = 1;  // CU_MEM_LOCATION_TYPE_DEVICE
    int id = 0;
  };
  struct AllocationProperties {
    int type = 1;                   // CU_MEM_ALLOCATION_TYPE_PINNED
    int requested_handle_type = 1;  // CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
    Location location;
    void* win32_attributes = nullptr;
    std::uint64_t flags = 0;
  };
  struct AccessDescription {
    Location location;
    int flags = 3;  // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
  };

  int (*get_error_string)(int, const char**);
  int (*get_primary_context)(void**, int);
  int (*set_current_context)(void*);
  int (*get_current_context)(void**);
  int (*synchronize)();
  int (*copy)(Address, Address, std::size_t);  // in any direction between host and device
  int (*copy_async)(Address, Address, std::size_t, void* stream);
  int (*set_words_async)(Address, unsigned, std::size_t, void* stream);
  int (*set_bytes_async)(Address, unsigned char, std::size_t, void* stream);
  int (*get_granularity)(std::size_t*, const AllocationProperties*, int);
  int (*create)(Handle*, std::size_t, const AllocationProperties*, unsigned long long);
  int (*export_handle)(void* fd, Handle, int type, unsigned long long);
  int (*import_handle)(Handle*, void* fd, int type);
  int (*release)(Handle);
  int (*reserve)(Address*, std::size_t, std::size_t alignment, Address, unsigned long long);
  int (*free_reserved)(Address, std::size_t);
  int (*map)(Address, std::size_t, std::size_t offset, Handle, unsigned long long);
  int (*unmap)(Address, std::size_t);
  int (*set_access)(Address, std::size_t, const AccessDescription*, std::size_t);
  int (*allocate)(Address*, std::size_t);
  int (*free)(Address);
  int (*get_default_pool)(void** pool, int device);
  int (*set_pool_attribute)(void* pool, int attribute, void* value);
  int (*get_attribute)(int*, int attribute, int device);
  int (*get_name)(char* name, int length, int device);
  int (*get_total_memory)(std::size_t*, int device);
  int (*get_memory)(std::size_t* free, std::size_t* total);
  int (*get_bus_id)(char* id, int length, int device);
  int (*get_limit)(std::size_t*, int limit);
  int (*reset_persisting_l2)();
  int (*create_event)(void** event, unsigned flags);
  int (*record_event)(void* event, void* stream);
  int (*synchronize_event)(void* event);
  int (*wait_in_stream)(void* stream, void* event, unsigned flags);
  int (*record_context)(void* context, void* event);
  int (*wait_in_context)(void* context, void* event);
  int (*elapsed_time)(float* milliseconds, void* start, void* end);
  int (*load_module)(void** module, const void* ptx);
  int (*get_function)(void** function, void* module, const char* name);
  int (*set_function_attribute)(void* function, int attribute, int value);
  int (*launch)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream,
                void** parameters, void** extra);
  int (*create_stream)(void** stream, unsigned flags, int priority);
  static constexpr unsigned non_blocking_stream = 1;  // CU_STREAM_NON_BLOCKING
  int (*get_graph_nodes)(Graph, void** nodes, std::size_t* count);
  int (*begin_capture)(void* stream, int mode);
  static constexpr int relaxed_capture = 2;  // CU_STREAM_CAPTURE_MODE_RELAXED
  int (*end_capture)(void* stream, Graph*);
  int (*instantiate_graph)(Graph* executable, Graph, unsigned long long flags);
  int (*launch_graph)(Graph executable, void* stream);
  int (*destroy_graph)(Graph);
  int (*destroy_executable)(Graph);
  int (*start_profiler)();
  int (*stop_profiler)();

  // The driver's address of memory of the host or of the GPU.
  static Address address_of(const void* memory) { return reinterpret_cast<Address>(memory); }
  // Throws for an `error` that is not 0, as "cuMemCreate: CUDA error 2: out of memory". Error 2 and
  // unknown errors are an OutOfGpuMemory (device/gpu_memory_wait.hpp), all others a HarnessError.
  void check(int error, const char* function) const;
  [[nodiscard]] std::string describe(int error) const;
};

// The driver. Makes GPU 0 current for the calling thread, in the context that torch and the CUDA
// runtime use. Throws HarnessError where there is no GPU.
const CudaDriver& cuda_driver();

// The driver without a context, since a context takes GPU memory. It can only be asked about the
// device.
const CudaDriver& cuda_driver_without_context();

}  // namespace robust_kbench
