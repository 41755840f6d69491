#pragma once

#include <cstddef>
#include <cstdint>

#include "device/driver_types.hpp"

namespace robust_kbench {

// The functions of libcuda.so.1 that load code and make graphs of work, besides those of
// CudaDriver.
struct GraphDriver {
  using Graph = void*;
  using Node = void*;

  int (*load_library)(void** library, const void* image, void* options, void* values,
                      unsigned option_count, void* library_options, void* library_values,
                      unsigned library_option_count);
  int (*get_kernel)(void** kernel, void* library, const char* name);
  int (*get_variable)(std::uint64_t* address, std::size_t* bytes, void* library, const char* name);
  int (*get_parameter)(void* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes);
  int (*set_kernel_attribute)(int attribute, int value, void* kernel, int device);
  int (*create_graph)(Graph*, unsigned flags);
  int (*add_kernel)(Node*, Graph, const Node* after, std::size_t, const driver_types::KernelNode*);
  int (*add_copy)(Node*, Graph, const Node* after, std::size_t, const driver_types::CopyNode*,
                  void* context);
  int (*add_fill)(Node*, Graph, const Node* after, std::size_t, const driver_types::FillNode*,
                  void* context);
  int (*add_nothing)(Node*, Graph, const Node* after, std::size_t);
  int (*add_child)(Node*, Graph, const Node* after, std::size_t, Graph child);
  int (*add_edges)(Graph, const Node* from, const Node* to, const driver_types::EdgeData*,
                   std::size_t);
  // Without `nodes` it counts them.
  int (*get_root_nodes)(Graph, Node* nodes, std::size_t* count);
  int (*get_node_type)(Node, int* type);
  int (*set_node_attribute)(Node, std::uint32_t attribute, const void* value);
  int (*upload_graph)(Graph executable, void* stream);
};

// Throws HarnessError where the driver lacks a function.
const GraphDriver& graph_driver();

}  // namespace robust_kbench
