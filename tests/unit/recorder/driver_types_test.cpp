#include "device/driver_types.hpp"

#include <gtest/gtest.h>

#if __has_include(<cuda.h>)
#include <cuda.h>
#endif

namespace robust_kbench {
namespace {

#if __has_include(<cuda.h>)

TEST(DriverTypes, HaveTheLayoutsOfCuda) {
  using namespace driver_types;
  EXPECT_EQ(sizeof(LaunchAttribute), sizeof(CUlaunchAttribute));
  EXPECT_EQ(offsetof(LaunchAttribute, value), offsetof(CUlaunchAttribute, value));
  EXPECT_EQ(sizeof(LaunchConfig), sizeof(CUlaunchConfig));
  EXPECT_EQ(offsetof(LaunchConfig, stream), offsetof(CUlaunchConfig, hStream));
  EXPECT_EQ(offsetof(LaunchConfig, attribute_count), offsetof(CUlaunchConfig, numAttrs));
  EXPECT_EQ(sizeof(KernelNode), sizeof(CUDA_KERNEL_NODE_PARAMS_v2));
  EXPECT_EQ(offsetof(KernelNode, parameters), offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kernelParams));
  EXPECT_EQ(offsetof(KernelNode, kernel), offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kern));
  EXPECT_EQ(sizeof(FillNode), sizeof(CUDA_MEMSET_NODE_PARAMS_v1));
  EXPECT_EQ(offsetof(FillNode, element_bytes), offsetof(CUDA_MEMSET_NODE_PARAMS_v1, elementSize));
  EXPECT_EQ(sizeof(CopyNode), sizeof(CUDA_MEMCPY3D_v2));
  EXPECT_EQ(offsetof(CopyNode, to), offsetof(CUDA_MEMCPY3D_v2, dstXInBytes));
  EXPECT_EQ(offsetof(CopyNode, from) + offsetof(CopySide, device),
            offsetof(CUDA_MEMCPY3D_v2, srcDevice));
  EXPECT_EQ(offsetof(CopyNode, width_bytes), offsetof(CUDA_MEMCPY3D_v2, WidthInBytes));
  EXPECT_EQ(sizeof(EdgeData), sizeof(CUgraphEdgeData));
  EXPECT_EQ(static_cast<int>(priority), CU_LAUNCH_ATTRIBUTE_PRIORITY);
  EXPECT_EQ(static_cast<int>(cluster_dimension), CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  EXPECT_EQ(static_cast<int>(programmatic_stream_serialization),
            CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
  EXPECT_EQ(static_cast<int>(device_updatable), CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE);
  EXPECT_EQ(static_cast<int>(child_node), CU_GRAPH_NODE_TYPE_GRAPH);
}

#endif

TEST(DriverTypes, KnowWhatAnAttributeMeans) {
  EXPECT_EQ(driver_types::meaningful_bytes(driver_types::cluster_dimension), 12U);
  EXPECT_EQ(driver_types::meaningful_bytes(driver_types::access_policy_window), 0U);
  EXPECT_EQ(driver_types::meaningful_bytes(driver_types::programmatic_event), 0U);
}

}  // namespace
}  // namespace robust_kbench
