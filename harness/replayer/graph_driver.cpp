#include "replayer/graph_driver.hpp"

#include <dlfcn.h>
#include <string>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

template <typename Function>
void find_in_driver(Function& function, const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  function = library == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    throw HarnessError(std::string("the NVIDIA driver has no ") + name +
                       "; one for CUDA 12.5 or newer has it");
  }
}

GraphDriver load_graph_driver() {
  GraphDriver driver{};
  find_in_driver(driver.load_library, "cuLibraryLoadData");
  find_in_driver(driver.get_kernel, "cuLibraryGetKernel");
  find_in_driver(driver.get_variable, "cuLibraryGetGlobal");
  find_in_driver(driver.get_parameter, "cuKernelGetParamInfo");
  find_in_driver(driver.set_kernel_attribute, "cuKernelSetAttribute");
  find_in_driver(driver.create_graph, "cuGraphCreate");
  find_in_driver(driver.add_kernel, "cuGraphAddKernelNode_v2");
  find_in_driver(driver.add_copy, "cuGraphAddMemcpyNode");
  find_in_driver(driver.add_fill, "cuGraphAddMemsetNode");
  find_in_driver(driver.add_nothing, "cuGraphAddEmptyNode");
  find_in_driver(driver.add_child, "cuGraphAddChildGraphNode");
  find_in_driver(driver.add_edges, "cuGraphAddDependencies_v2");
  find_in_driver(driver.set_node_attribute, "cuGraphKernelNodeSetAttribute");
  find_in_driver(driver.upload_graph, "cuGraphUpload");
  return driver;
}

}  // namespace

const GraphDriver& graph_driver() {
  static const GraphDriver driver = load_graph_driver();
  return driver;
}

}  // namespace robust_kbench
