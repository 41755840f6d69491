#include <cooperative_groups.h>

#include "affine.cuh"

namespace {

__global__ void by_neighbour(const float* x, float* y, int n) {
  __shared__ float tile[256];
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  const int other = cluster.block_rank() ^ 1;
  const int base = (blockIdx.x - cluster.block_rank() + other) * 256;
  const int i = base + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0;
  cluster.sync();
  const float* theirs = cluster.map_shared_rank(tile, other);
  const int mine = blockIdx.x * 256 + threadIdx.x;
  if (mine < n) y[mine] = 2 * theirs[threadIdx.x] + 1;
  cluster.sync();
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  cudaLaunchConfig_t config{};
  config.gridDim = (n + 511) / 512 * 2;
  config.blockDim = 256;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, by_neighbour, static_cast<const float*>(x.data_ptr<float>()),
                           y.data_ptr<float>(), n));
  return y;
}

MODULE
