#include "device/cuda_driver.hpp"

#include <dlfcn.h>

#include "core/error.hpp"
#include "device/driver_function.hpp"
#include "device/gpu_memory_wait.hpp"

namespace robust_kbench {
namespace {

CudaFacts ask_driver() {
  if (driver_library() == nullptr)
    return {.missing = "no NVIDIA driver (libcuda.so.1) on this machine"};
  using Init = int (*)(unsigned);
  using GetCount = int (*)(int*);
  const auto init = reinterpret_cast<Init>(dlsym(driver_library(), "cuInit"));
  const auto get_count = reinterpret_cast<GetCount>(dlsym(driver_library(), "cuDeviceGetCount"));
  if (init == nullptr || get_count == nullptr) {
    return {.missing = "libcuda.so.1 lacks cuInit or cuDeviceGetCount"};
  }
  if (const int error = init(0); error != 0) {
    return {.missing = "cuInit failed with CUDA error " + std::to_string(error)};
  }
  CudaFacts facts;
  get_count(&facts.device_count);
  if (facts.device_count == 0) {
    facts.missing = "the NVIDIA driver lists no GPU";
    return facts;
  }
  using GetAttribute = int (*)(int*, int, int);
  const auto get_attribute =
      reinterpret_cast<GetAttribute>(dlsym(driver_library(), "cuDeviceGetAttribute"));
  int major = 0;
  int minor = 0;
  if (get_attribute != nullptr) {
    get_attribute(&major, 75, 0);  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    get_attribute(&minor, 76, 0);  // ..._MINOR
  }
  facts.compute_capability = 10 * major + minor;
  return facts;
}

CudaDriver load_driver() {
  if (const CudaFacts facts = cuda_facts(); !facts.missing.empty()) {
    throw HarnessError("no GPU: " + facts.missing);
  }
  CudaDriver driver{};
  find_in_driver(driver.get_error_string, "cuGetErrorString");
  find_in_driver(driver.get_primary_context, "cuDevicePrimaryCtxRetain");
  find_in_driver(driver.set_current_context, "cuCtxSetCurrent");
  find_in_driver(driver.get_current_context, "cuCtxGetCurrent");
  find_in_driver(driver.synchronize, "cuCtxSynchronize");
  find_in_driver(driver.copy, "cuMemcpy");
  find_in_driver(driver.copy_async, "cuMemcpyAsync");
  find_in_driver(driver.set_words_async, "cuMemsetD32Async");
  find_in_driver(driver.set_bytes_async, "cuMemsetD8Async");
  find_in_driver(driver.get_granularity, "cuMemGetAllocationGranularity");
  find_in_driver(driver.create, "cuMemCreate");
  find_in_driver(driver.export_handle, "cuMemExportToShareableHandle");
  find_in_driver(driver.import_handle, "cuMemImportFromShareableHandle");
  find_in_driver(driver.release, "cuMemRelease");
  find_in_driver(driver.reserve, "cuMemAddressReserve");
  find_in_driver(driver.free_reserved, "cuMemAddressFree");
  find_in_driver(driver.map, "cuMemMap");
  find_in_driver(driver.unmap, "cuMemUnmap");
  find_in_driver(driver.set_access, "cuMemSetAccess");
  find_in_driver(driver.allocate, "cuMemAlloc_v2");
  find_in_driver(driver.free, "cuMemFree_v2");
  find_in_driver(driver.get_default_pool, "cuDeviceGetDefaultMemPool");
  find_in_driver(driver.set_pool_attribute, "cuMemPoolSetAttribute");
  find_in_driver(driver.get_attribute, "cuDeviceGetAttribute");
  find_in_driver(driver.get_name, "cuDeviceGetName");
  find_in_driver(driver.get_total_memory, "cuDeviceTotalMem_v2");
  find_in_driver(driver.get_memory, "cuMemGetInfo_v2");
  find_in_driver(driver.get_bus_id, "cuDeviceGetPCIBusId");
  find_in_driver(driver.get_limit, "cuCtxGetLimit");
  find_in_driver(driver.reset_persisting_l2, "cuCtxResetPersistingL2Cache");
  find_in_driver(driver.create_event, "cuEventCreate");
  find_in_driver(driver.record_event, "cuEventRecord");
  find_in_driver(driver.synchronize_event, "cuEventSynchronize");
  find_in_driver(driver.wait_in_stream, "cuStreamWaitEvent");
  find_in_driver(driver.record_context, "cuCtxRecordEvent");
  find_in_driver(driver.wait_in_context, "cuCtxWaitEvent");
  find_in_driver(driver.elapsed_time, "cuEventElapsedTime");
  find_in_driver(driver.load_module, "cuModuleLoadData");
  find_in_driver(driver.get_function, "cuModuleGetFunction");
  find_in_driver(driver.set_function_attribute, "cuFuncSetAttribute");
  find_in_driver(driver.launch, "cuLaunchKernel");
  find_in_driver(driver.create_stream, "cuStreamCreateWithPriority");
  find_in_driver(driver.get_graph_nodes, "cuGraphGetNodes");
  find_in_driver(driver.begin_capture, "cuStreamBeginCapture_v2");
  find_in_driver(driver.end_capture, "cuStreamEndCapture");
  find_in_driver(driver.instantiate_graph, "cuGraphInstantiateWithFlags");
  find_in_driver(driver.launch_graph, "cuGraphLaunch");
  find_in_driver(driver.destroy_graph, "cuGraphDestroy");
  find_in_driver(driver.destroy_executable, "cuGraphExecDestroy");
  find_in_driver(driver.start_profiler, "cuProfilerStart");
  find_in_driver(driver.stop_profiler, "cuProfilerStop");
  return driver;
}

void* primary_context(const CudaDriver& driver) {
  return wait_for_gpu_memory([&] {
    void* context = nullptr;
    driver.check(driver.get_primary_context(&context, 0), "cuDevicePrimaryCtxRetain");
    return context;
  });
}

}  // namespace

CudaFacts cuda_facts() {
  static const CudaFacts facts = ask_driver();
  return facts;
}

std::string CudaDriver::describe(int error) const {
  const char* text = nullptr;
  if (get_error_string(error, &text) != 0 || text == nullptr) text = "unknown";
  return "CUDA error " + std::to_string(error) + ": " + text;
}

void CudaDriver::check(int error, const char* function) const {
  constexpr int out_of_memory = 2;  // CUDA_ERROR_OUT_OF_MEMORY
  constexpr int unknown = 999;      // CUDA_ERROR_UNKNOWN: see tells_of_missing_gpu_memory()
  if (error == 0) return;
  const std::string message = std::string(function) + ": " + describe(error);
  if (error == out_of_memory || error == unknown) throw OutOfGpuMemory(message);
  throw HarnessError(message);
}

const CudaDriver& cuda_driver_without_context() {
  static const CudaDriver driver = load_driver();
  return driver;
}

const CudaDriver& cuda_driver() {
  const CudaDriver& driver = cuda_driver_without_context();
  static void* const context = primary_context(driver);
  driver.check(driver.set_current_context(context), "cuCtxSetCurrent");
  return driver;
}

}  // namespace robust_kbench
