#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// Structures of cuda.h that the recorder and the replayer exchange with the driver. They are
// declared here, since the suite also builds without a CUDA toolkit. Where there is one, a test
// compares their layouts with cuda.h.
namespace robust_kbench::driver_types {

using DevicePointer = std::uint64_t;

// CUlaunchAttribute
struct LaunchAttribute {
  std::uint32_t id;
  std::uint32_t padding;
  std::array<std::uint8_t, 64> value;
};

enum LaunchAttributeId : std::uint32_t {
  ignore = 0,
  access_policy_window = 1,
  cooperative = 2,
  synchronization_policy = 3,
  cluster_dimension = 4,
  cluster_scheduling_policy = 5,
  programmatic_stream_serialization = 6,
  programmatic_event = 7,
  priority = 8,
  memory_domain_map = 9,
  memory_domain = 10,
  preferred_cluster_dimension = 11,
  launch_completion_event = 12,
  device_updatable = 13,
  shared_memory_carveout = 14,
};

// CUlaunchConfig
struct LaunchConfig {
  std::array<std::uint32_t, 3> grid;
  std::array<std::uint32_t, 3> block;
  std::uint32_t shared_bytes;
  void* stream;
  const LaunchAttribute* attributes;
  std::uint32_t attribute_count;
};

// CUDA_KERNEL_NODE_PARAMS_v2
struct KernelNode {
  void* function;
  std::array<std::uint32_t, 3> grid;
  std::array<std::uint32_t, 3> block;
  std::uint32_t shared_bytes;
  void** parameters;
  void** extra;
  void* kernel;  // used where `function` is null
  void* context;
};

// CUDA_MEMSET_NODE_PARAMS_v1
struct FillNode {
  DevicePointer to;
  std::size_t pitch;
  std::uint32_t value;
  std::uint32_t element_bytes;
  std::size_t width;
  std::size_t height;
};

enum MemoryType : std::uint32_t { host = 1, device = 2, array = 3, unified = 4 };

// One side of CUDA_MEMCPY3D_v2
struct CopySide {
  std::size_t x_bytes;
  std::size_t y;
  std::size_t z;
  std::size_t level;
  std::uint32_t type;
  void* host;
  DevicePointer device;
  void* array;
  void* reserved;
  std::size_t pitch;
  std::size_t height;
};

// CUDA_MEMCPY3D_v2
struct CopyNode {
  CopySide from;
  CopySide to;
  std::size_t width_bytes;
  std::size_t height;
  std::size_t depth;
};

// CUgraphEdgeData
struct EdgeData {
  std::uint8_t from_port;  // 1: when the kernel allows it, 0: when it has ended
  std::uint8_t to_port;
  std::uint8_t type;  // 1: programmatic
  std::array<std::uint8_t, 5> reserved;
};

// CUgraphNodeType
enum NodeType : int { kernel_node, copy_node, fill_node, host_node, child_node, empty_node };

// The bytes of an attribute's value that mean something. It is 0 for an attribute that no other
// process can set, or that says nothing of a kernel.
constexpr std::size_t meaningful_bytes(std::uint32_t attribute) {
  switch (attribute) {
    case cooperative:
    case cluster_scheduling_policy:
    case programmatic_stream_serialization:
    case priority:
    case memory_domain:
    case shared_memory_carveout:
      return 4;
    case memory_domain_map:
      return 2;
    case cluster_dimension:
    case preferred_cluster_dimension:
      return 12;
    default:
      return 0;
  }
}

// Attributes that may be left out, since they change nothing that the GPU does.
constexpr bool means_nothing(std::uint32_t attribute) {
  return attribute == ignore || attribute == synchronization_policy;
}

}  // namespace robust_kbench::driver_types
