#include "device/cuda_driver.hpp"

#include <dlfcn.h>

#include "core/error.hpp"
#include "device/gpu_memory_wait.hpp"

namespace robust_kbench {
namespace {

void* library() {
  static void* const handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  return handle;
}

CudaFacts ask_driver() {
  if (library() == nullptr) return {.missing = "no NVIDIA driver (libcuda.so.1) on this machine"};
  using Init = int (*)(unsigned);
  using GetCount = int (*)(int*);
  const auto init = reinterpret_cast<Init>(dlsym(library(), "cuInit"));
  const auto get_count = reinterpret_cast<GetCount>(dlsym(library(), "cuDeviceGetCount"));
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
      reinterpret_cast<GetAttribute>(dlsym(library(), "cuDeviceGetAttribute"));
  int major = 0;
  int minor = 0;
  if (get_attribute != nullptr) {
    get_attribute(&major, 75, 0);  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    get_attribute(&minor, 76, 0);  // ..._MINOR
  }
  facts.compute_capability = 10 * major + minor;
  return facts;
}

template <typename Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library(), name));
  if (function == nullptr) {
    throw HarnessError(std::string("the NVIDIA driver has no ") + name +
                       "; one for CUDA 12.5 or newer has it");
  }
}

CudaDriver load_driver() {
  if (const CudaFacts facts = cuda_facts(); !facts.missing.empty()) {
    throw HarnessError("no GPU: " + facts.missing);
  }
  CudaDriver driver{};
  find(driver.get_error_string, "cuGetErrorString");
  find(driver.get_primary_context, "cuDevicePrimaryCtxRetain");
  find(driver.set_current_context, "cuCtxSetCurrent");
  find(driver.get_current_context, "cuCtxGetCurrent");
  find(driver.synchronize, "cuCtxSynchronize");
  find(driver.copy, "cuMemcpy");
  find(driver.copy_async, "cuMemcpyAsync");
  find(driver.set_words_async, "cuMemsetD32Async");
  find(driver.set_bytes_async, "cuMemsetD8Async");
  find(driver.get_granularity, "cuMemGetAllocationGranularity");
  find(driver.create, "cuMemCreate");
  find(driver.export_handle, "cuMemExportToShareableHandle");
  find(driver.import_handle, "cuMemImportFromShareableHandle");
  find(driver.release, "cuMemRelease");
  find(driver.reserve, "cuMemAddressReserve");
  find(driver.free_reserved, "cuMemAddressFree");
  find(driver.map, "cuMemMap");
  find(driver.unmap, "cuMemUnmap");
  find(driver.set_access, "cuMemSetAccess");
  find(driver.allocate, "cuMemAlloc_v2");
  find(driver.free, "cuMemFree_v2");
  find(driver.get_default_pool, "cuDeviceGetDefaultMemPool");
  find(driver.set_pool_attribute, "cuMemPoolSetAttribute");
  find(driver.get_attribute, "cuDeviceGetAttribute");
  find(driver.get_name, "cuDeviceGetName");
  find(driver.get_total_memory, "cuDeviceTotalMem_v2");
  find(driver.get_memory, "cuMemGetInfo_v2");
  find(driver.get_bus_id, "cuDeviceGetPCIBusId");
  find(driver.get_limit, "cuCtxGetLimit");
  find(driver.reset_persisting_l2, "cuCtxResetPersistingL2Cache");
  find(driver.create_event, "cuEventCreate");
  find(driver.record_event, "cuEventRecord");
  find(driver.synchronize_event, "cuEventSynchronize");
  find(driver.wait_in_stream, "cuStreamWaitEvent");
  find(driver.record_context, "cuCtxRecordEvent");
  find(driver.wait_in_context, "cuCtxWaitEvent");
  find(driver.elapsed_time, "cuEventElapsedTime");
  find(driver.load_module, "cuModuleLoadData");
  find(driver.get_function, "cuModuleGetFunction");
  find(driver.set_function_attribute, "cuFuncSetAttribute");
  find(driver.launch, "cuLaunchKernel");
  find(driver.create_stream, "cuStreamCreateWithPriority");
  find(driver.get_graph_nodes, "cuGraphGetNodes");
  find(driver.begin_capture, "cuStreamBeginCapture_v2");
  find(driver.end_capture, "cuStreamEndCapture");
  find(driver.instantiate_graph, "cuGraphInstantiateWithFlags");
  find(driver.launch_graph, "cuGraphLaunch");
  find(driver.destroy_graph, "cuGraphDestroy");
  find(driver.destroy_executable, "cuGraphExecDestroy");
  find(driver.start_profiler, "cuProfilerStart");
  find(driver.stop_profiler, "cuProfilerStop");
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
