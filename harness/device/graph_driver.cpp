#include "device/graph_driver.hpp"

#include "device/driver_function.hpp"

namespace robust_kbench {
namespace {

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
  find_in_driver(driver.get_root_nodes, "cuGraphGetRootNodes");
  find_in_driver(driver.get_node_type, "cuGraphNodeGetType");
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
