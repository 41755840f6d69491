// A library that stands in for libcuda.so.1 in tests. It runs nothing. It hands out handles and
// addresses, keeps graphs, and logs what would run on a GPU.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "device/driver_types.hpp"

#define FAKE extern "C" __attribute__((visibility("default"))) int

namespace {

using namespace robust_kbench::driver_types;

std::ostringstream the_log;
std::string the_text;

struct FakeNode {
  int type = empty_node;
  KernelNode kernel{};
  std::vector<std::uint8_t> parameters;
  std::vector<void*> pointers;
  FillNode fill{};
  CopyNode copy{};
  void* child = nullptr;
  std::map<std::uint32_t, std::array<std::uint8_t, 64>> attributes;
};
struct FakeGraph {
  struct Edge {
    FakeNode* from;
    FakeNode* to;
    EdgeData data;
  };
  std::vector<FakeNode*> nodes;
  std::vector<Edge> edges;
};

std::deque<FakeNode> all_nodes;
std::deque<FakeGraph> all_graphs;
std::deque<std::string> all_names;  // of kernels, whose handles are their addresses
std::set<void*> capturing;

struct Layout {
  std::size_t offset;
  std::size_t bytes;
};
// The layout of a kernel's parameters: two addresses and a number, or one structure of them.
std::vector<Layout> layout_of(const std::string& kernel) {
  if (kernel == "scale_layer") return {{0, 24}};
  return {{0, 8}, {8, 8}, {16, 4}};
}

void* handle_of(std::size_t number) {
  return reinterpret_cast<void*>(0x1000 + 16 * number);
}

std::string name_of(void* kernel) {
  for (const std::string& name : all_names) {
    if (&name == kernel) return name;
  }
  return "?";
}

std::string text_of(std::uint64_t address) {
  std::ostringstream text;
  text << "0x" << std::hex << address;
  return text.str();
}

std::string parameters_text(void* kernel, void** parameters) {
  std::array<std::uint8_t, 24> all{};
  std::size_t index = 0;
  for (const Layout& place : layout_of(name_of(kernel))) {
    std::memcpy(all.data() + place.offset, parameters[index++], place.bytes);
  }
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint32_t number = 0;
  std::memcpy(&first, all.data(), sizeof first);
  std::memcpy(&second, all.data() + 8, sizeof second);
  std::memcpy(&number, all.data() + 16, sizeof number);
  return "(" + text_of(first) + ", " + text_of(second) + ", " + std::to_string(number) + ")";
}

int add_node(void** node, void* graph, void* const* after, std::size_t count, FakeNode made) {
  FakeNode* added = &all_nodes.emplace_back(std::move(made));
  auto& to = *static_cast<FakeGraph*>(graph);
  to.nodes.push_back(added);
  for (std::size_t i = 0; i < count; ++i) {
    to.edges.push_back({static_cast<FakeNode*>(after[i]), added, {}});
  }
  *node = added;
  return 0;
}

std::string side_text(const CopySide& side) {
  return side.type == host ? "host" : text_of(side.device + side.x_bytes);
}

std::string node_text(const FakeNode& node) {
  switch (node.type) {
    case kernel_node: {
      std::string text = "kernel " + name_of(node.kernel.kernel) + " grid " +
                         std::to_string(node.kernel.grid[0]) + " block " +
                         std::to_string(node.kernel.block[0]) + " shared " +
                         std::to_string(node.kernel.shared_bytes) + " " +
                         parameters_text(node.kernel.kernel, node.kernel.parameters);
      for (const auto& [id, value] : node.attributes) {
        text += " attribute " + std::to_string(id) + "=" + std::to_string(value[0]);
      }
      return text;
    }
    case copy_node:
      return "copy " + side_text(node.copy.to) + " from " + side_text(node.copy.from) + " bytes " +
             std::to_string(node.copy.width_bytes);
    case fill_node:
      return "fill " + text_of(node.fill.to) + " with " + std::to_string(node.fill.value) +
             " elements " + std::to_string(node.fill.width) + " of " +
             std::to_string(node.fill.element_bytes);
    default:
      return "nothing";
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const char* fake_driver_log() {
  the_text = the_log.str();
  return the_text.c_str();
}
extern "C" __attribute__((visibility("default"))) void fake_driver_forget() {
  the_log.str("");
}

FAKE cuInit(unsigned) {
  return 0;
}
FAKE cuGetProcAddress_v2(const char* name, void** function, int, std::uint64_t flags, int*) {
  Dl_info self{};
  dladdr(reinterpret_cast<void*>(&cuInit), &self);
  void* library = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  *function = nullptr;
  if ((flags & 2) != 0) *function = dlsym(library, (std::string(name) + "_ptsz").c_str());
  if (*function == nullptr) *function = dlsym(library, (std::string(name) + "_v2").c_str());
  if (*function == nullptr) *function = dlsym(library, name);
  return *function == nullptr ? 500 : 0;
}

FAKE cuGetErrorString(int, const char** text) {
  *text = "an error of the fake driver";
  return 0;
}
FAKE cuDeviceGetCount(int* count) {
  *count = 1;
  return 0;
}
FAKE cuDeviceGetAttribute(int* value, int, int) {
  *value = 9;
  return 0;
}
FAKE cuDevicePrimaryCtxRetain(void** context, int) {
  *context = handle_of(1);
  return 0;
}
FAKE cuCtxSetCurrent(void*) {
  return 0;
}
FAKE cuCtxGetCurrent(void** context) {
  *context = handle_of(1);
  return 0;
}
FAKE cuCtxSynchronize() {
  return 0;
}

FAKE cuLibraryLoadData(void** library, const void*, void*, void*, unsigned, void*, void*,
                       unsigned) {
  static std::size_t loaded = 0;
  *library = handle_of(1000 + loaded++);
  return 0;
}
FAKE cuLibraryGetKernel(void** kernel, void*, const char* name) {
  for (std::string& known : all_names) {
    if (known == name) {
      *kernel = &known;
      return 0;
    }
  }
  *kernel = &all_names.emplace_back(name);
  return 0;
}
FAKE cuKernelGetFunction(void** function, void* kernel) {
  *function = static_cast<std::string*>(kernel);
  return 0;
}
FAKE cuLibraryGetGlobal(std::uint64_t* address, std::size_t* bytes, void*, const char*) {
  *address = 0x7f0000000000;
  *bytes = 256;
  return 0;
}
FAKE cuKernelGetParamInfo(void* kernel, std::size_t index, std::size_t* offset,
                          std::size_t* bytes) {
  const std::vector<Layout> layout = layout_of(name_of(kernel));
  if (index >= layout.size()) return 1;
  *offset = layout.at(index).offset;
  *bytes = layout.at(index).bytes;
  return 0;
}
FAKE cuKernelSetAttribute(int attribute, int value, void* kernel, int) {
  the_log << "attribute " << attribute << " of " << name_of(kernel) << " = " << value << "\n";
  return 0;
}

FAKE cuLaunchKernel(void* function, unsigned grid, unsigned, unsigned, unsigned block, unsigned,
                    unsigned, unsigned, void*, void** parameters, void**) {
  the_log << "launch " << name_of(function) << " grid " << grid << " block " << block << " "
          << parameters_text(function, parameters) << "\n";
  return 0;
}
FAKE cuLaunchKernel_ptsz(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                         unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                         void* stream, void** parameters, void** extra) {
  return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
                        parameters, extra);
}
FAKE cuLaunchKernelEx(const LaunchConfig* config, void* function, void** parameters, void**) {
  the_log << "launch " << name_of(function) << " attributes " << config->attribute_count << " "
          << parameters_text(function, parameters) << "\n";
  return 0;
}

FAKE cuMemAddressReserve(std::uint64_t* address, std::size_t, std::size_t, std::uint64_t wanted,
                         unsigned long long) {
  *address = wanted == 0 ? 0x302000000 : wanted;
  return 0;
}
FAKE cuMemAddressFree(std::uint64_t, std::size_t) {
  return 0;
}
FAKE cuMemGetAllocationGranularity(std::size_t* bytes, const void*, int) {
  *bytes = std::size_t{2} << 20;
  return 0;
}
FAKE cuMemCreate(std::uint64_t* handle, std::size_t, const void*, unsigned long long) {
  static std::uint64_t made = 0;
  *handle = ++made;
  return 0;
}
FAKE cuMemMap(std::uint64_t address, std::size_t bytes, std::size_t, std::uint64_t,
              unsigned long long) {
  the_log << "map " << text_of(address) << " bytes " << bytes << "\n";
  return 0;
}
FAKE cuMemSetAccess(std::uint64_t, std::size_t, const void*, std::size_t) {
  return 0;
}
FAKE cuMemUnmap(std::uint64_t, std::size_t) {
  return 0;
}
FAKE cuMemRelease(std::uint64_t) {
  return 0;
}
FAKE cuMemAlloc_v2(std::uint64_t* address, std::size_t) {
  *address = 0x7e0000000000;
  the_log << "cuMemAlloc\n";
  return 0;
}
FAKE cuMemFree_v2(std::uint64_t) {
  the_log << "cuMemFree\n";
  return 0;
}

// Memory below 0x70 0000 0000 is of nobody, that from 0x66 0000 0000 0000 on pinned.
FAKE cuPointerGetAttribute(void* value, int attribute, std::uint64_t address) {
  const bool is_pinned = address >= 0x660000000000 && address < 0x670000000000;
  const bool is_of_gpu =
      (address >= 0x2b0000000000 && address < 0x2d0000000000) || address >= 0x7e0000000000;
  if (!is_pinned && !is_of_gpu) return 1;
  const std::uint32_t answer = attribute == 2 ? (is_pinned ? 1 : 2) : 0;
  std::memcpy(value, &answer, sizeof answer);
  return 0;
}

FAKE cuMemcpyAsync(std::uint64_t, std::uint64_t, std::size_t, void*) {
  return 0;
}
FAKE cuMemcpyHtoDAsync_v2(std::uint64_t, const void*, std::size_t, void*) {
  return 0;
}
FAKE cuMemcpyDtoH_v2(void*, std::uint64_t, std::size_t) {
  return 0;
}
FAKE cuMemsetD32Async(std::uint64_t, std::uint32_t, std::size_t, void*) {
  return 0;
}

FAKE cuStreamGetFlags(void* stream, unsigned* flags) {
  *flags = stream == handle_of(7) ? 1 : 0;  // this stream alone is non-blocking
  return 0;
}
FAKE cuStreamIsCapturing(void* stream, int* status) {
  *status = capturing.contains(stream) ? 1 : 0;
  return 0;
}
FAKE cuStreamBeginCapture_v2(void* stream, int) {
  return capturing.insert(stream).second ? 0 : 1;
}
FAKE cuStreamEndCapture(void* stream, void** graph) {
  capturing.erase(stream);
  *graph = &all_graphs.emplace_back();
  return 0;
}
FAKE cuStreamSynchronize(void*) {
  return 0;
}
FAKE cuEventRecord(void*, void*) {
  return 0;
}
FAKE cuStreamWaitEvent(void*, void*, unsigned) {
  return 0;
}
FAKE cuTexObjectCreate(std::uint64_t* texture, const void*, const void*, const void*) {
  *texture = 1;
  return 0;
}
FAKE cuLaunchHostFunc(void*, void (*)(void*), void*) {
  return 0;
}

FAKE cuGraphCreate(void** graph, unsigned) {
  *graph = &all_graphs.emplace_back();
  return 0;
}
FAKE cuGraphDestroy(void*) {
  return 0;
}
FAKE cuGraphExecDestroy(void*) {
  return 0;
}
FAKE cuGraphAddKernelNode_v2(void** node, void* graph, void* const* after, std::size_t count,
                             const KernelNode* kernel) {
  FakeNode made{.type = kernel_node, .kernel = *kernel};
  const int error = add_node(node, graph, after, count, std::move(made));
  auto& added = *static_cast<FakeNode*>(*node);
  const std::vector<Layout> layout = layout_of(name_of(kernel->kernel));
  added.parameters.resize(layout.back().offset + layout.back().bytes);
  for (std::size_t i = 0; i < layout.size(); ++i) {
    std::uint8_t* place = added.parameters.data() + layout.at(i).offset;
    std::memcpy(place, kernel->parameters[i], layout.at(i).bytes);
    added.pointers.push_back(place);
  }
  added.kernel.parameters = added.pointers.data();
  return error;
}
FAKE cuGraphAddMemcpyNode(void** node, void* graph, void* const* after, std::size_t count,
                          const CopyNode* copy, void*) {
  FakeNode made{.type = copy_node};
  made.copy = *copy;
  return add_node(node, graph, after, count, std::move(made));
}
FAKE cuGraphAddMemsetNode(void** node, void* graph, void* const* after, std::size_t count,
                          const FillNode* fill, void*) {
  FakeNode made{.type = fill_node};
  made.fill = *fill;
  return add_node(node, graph, after, count, std::move(made));
}
FAKE cuGraphAddEmptyNode(void** node, void* graph, void* const* after, std::size_t count) {
  return add_node(node, graph, after, count, {});
}
FAKE cuGraphAddHostNode(void** node, void* graph, void* const* after, std::size_t count,
                        const void*) {
  return add_node(node, graph, after, count, {.type = host_node});
}
FAKE cuGraphAddChildGraphNode(void** node, void* graph, void* const* after, std::size_t count,
                              void* child) {
  FakeNode made{.type = child_node};
  made.child = child;
  return add_node(node, graph, after, count, std::move(made));
}
FAKE cuGraphAddDependencies_v2(void* graph, void* const* from, void* const* to,
                               const EdgeData* data, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    static_cast<FakeGraph*>(graph)->edges.push_back(
        {static_cast<FakeNode*>(from[i]), static_cast<FakeNode*>(to[i]), data[i]});
  }
  return 0;
}
FAKE cuGraphKernelNodeSetAttribute(void* node, std::uint32_t id, const void* value) {
  std::memcpy(static_cast<FakeNode*>(node)->attributes[id].data(), value, 64);
  return 0;
}
FAKE cuGraphKernelNodeGetAttribute(void* node, std::uint32_t id, void* value) {
  const auto& attributes = static_cast<FakeNode*>(node)->attributes;
  const auto found = attributes.find(id);
  std::memset(value, 0, 64);
  if (found != attributes.end()) std::memcpy(value, found->second.data(), 64);
  return 0;
}
FAKE cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
  *executable = graph;
  return 0;
}
FAKE cuGraphExecUpdate_v2(void*, void*, void*) {
  return 0;
}
FAKE cuGraphUpload(void*, void*) {
  return 0;
}
FAKE cuGraphLaunch(void* executable, void*) {
  const auto& graph = *static_cast<FakeGraph*>(executable);
  the_log << "graph\n";
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    the_log << "  " << i << ": " << node_text(*graph.nodes[i]);
    for (const FakeGraph::Edge& edge : graph.edges) {
      if (edge.to != graph.nodes[i]) continue;
      for (std::size_t from = 0; from < graph.nodes.size(); ++from) {
        if (graph.nodes[from] != edge.from) continue;
        the_log << " after " << from << (edge.data.type != 0 ? " early" : "");
      }
    }
    the_log << "\n";
  }
  return 0;
}
FAKE cuGraphGetNodes(void* graph, void** nodes, std::size_t* count) {
  const auto& all = static_cast<FakeGraph*>(graph)->nodes;
  if (nodes != nullptr) std::copy(all.begin(), all.end(), nodes);
  *count = all.size();
  return 0;
}
FAKE cuGraphGetRootNodes(void* graph, void** nodes, std::size_t* count) {
  const auto& all = *static_cast<FakeGraph*>(graph);
  *count = 0;
  for (FakeNode* node : all.nodes) {
    const auto leads_to_it = [&](const FakeGraph::Edge& edge) { return edge.to == node; };
    if (std::any_of(all.edges.begin(), all.edges.end(), leads_to_it)) continue;
    if (nodes != nullptr) nodes[*count] = node;
    ++*count;
  }
  return 0;
}
FAKE cuGraphGetEdges_v2(void* graph, void** from, void** to, EdgeData* data, std::size_t* count) {
  const auto& all = static_cast<FakeGraph*>(graph)->edges;
  for (std::size_t i = 0; from != nullptr && i < all.size(); ++i) {
    from[i] = all[i].from;
    to[i] = all[i].to;
    data[i] = all[i].data;
  }
  *count = all.size();
  return 0;
}
FAKE cuGraphNodeGetType(void* node, int* type) {
  *type = static_cast<FakeNode*>(node)->type;
  return 0;
}
FAKE cuGraphKernelNodeGetParams_v2(void* node, KernelNode* kernel) {
  *kernel = static_cast<FakeNode*>(node)->kernel;
  return 0;
}
FAKE cuGraphMemsetNodeGetParams(void* node, FillNode* fill) {
  *fill = static_cast<FakeNode*>(node)->fill;
  return 0;
}
FAKE cuGraphMemcpyNodeGetParams(void* node, CopyNode* copy) {
  *copy = static_cast<FakeNode*>(node)->copy;
  return 0;
}
FAKE cuGraphChildGraphNodeGetGraph(void* node, void** graph) {
  *graph = static_cast<FakeNode*>(node)->child;
  return 0;
}

// Functions that programs look for, and that no test calls.
#define NEVER_CALLED(name) \
  FAKE name() {            \
    return 801;            \
  }
NEVER_CALLED(cuMemcpy)
NEVER_CALLED(cuMemsetD8Async)
NEVER_CALLED(cuMemExportToShareableHandle)
NEVER_CALLED(cuMemImportFromShareableHandle)
NEVER_CALLED(cuDeviceGetDefaultMemPool)
NEVER_CALLED(cuMemPoolSetAttribute)
NEVER_CALLED(cuDeviceGetName)
NEVER_CALLED(cuDeviceTotalMem_v2)
NEVER_CALLED(cuMemGetInfo_v2)
NEVER_CALLED(cuDeviceGetPCIBusId)
NEVER_CALLED(cuCtxGetLimit)
NEVER_CALLED(cuCtxResetPersistingL2Cache)
NEVER_CALLED(cuEventCreate)
NEVER_CALLED(cuEventSynchronize)
NEVER_CALLED(cuCtxRecordEvent)
NEVER_CALLED(cuCtxWaitEvent)
NEVER_CALLED(cuEventElapsedTime)
NEVER_CALLED(cuModuleLoadData)
NEVER_CALLED(cuModuleGetFunction)
NEVER_CALLED(cuFuncSetAttribute)
NEVER_CALLED(cuStreamCreateWithPriority)
NEVER_CALLED(cuProfilerStart)
NEVER_CALLED(cuProfilerStop)
