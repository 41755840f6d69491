#include <cooperative_groups.h>

#include "../../exploits/cuda/honest_linear.cuh"

constexpr int cluster_blocks = 2;

// Each block of a cluster adds up its part of the terms. The first one adds the sums, which it
// reads in the other's shared memory. A GPU without clusters lets each first block do it all.
__global__ void cluster_kernel(Linear l) {
  const int row = blockIdx.x / cluster_blocks;
  const int column = threadIdx.x;
#if __CUDA_ARCH__ >= 900
  __shared__ double sums[block_threads];
  const auto cluster = cooperative_groups::this_cluster();
  const int rank = static_cast<int>(cluster.block_rank());
  double sum = 0.0;
  for (int k = rank; k < l.in && column < l.out; k += cluster_blocks) {
    sum += double{l.x[row * l.in + k]} * l.weights[column * l.in + k];
  }
  sums[threadIdx.x] = sum;
  cluster.sync();
  if (rank == 0 && column < l.out) {
    sum = l.biases[column];
    for (int other = 0; other < cluster_blocks; ++other) {
      sum += cluster.map_shared_rank(sums, other)[threadIdx.x];
    }
    l.y[row * l.out + column] = static_cast<float>(sum);
  }
  cluster.sync();  // a block's shared memory must live until the others have read it
#else
  if (blockIdx.x % cluster_blocks != 0 || column >= l.out) return;
  l.y[row * l.out + column] = linear_element(l, row, column);
#endif
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  torch::Tensor y = empty_result(x, weights);
  TORCH_CHECK(weights.size(0) <= block_threads, "too many outputs for one block");
  const Linear l = linear_of(x, weights, biases, y.data_ptr<float>());
  int has_clusters = 0;
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = cluster_blocks;
  cluster.val.clusterDim.y = 1;
  cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(cluster_blocks * l.rows);
  config.blockDim = dim3(block_threads);
  config.stream = at::cuda::getCurrentCUDAStream();
  config.attrs = &cluster;
  config.numAttrs = has_clusters;
  C10_CUDA_CHECK(cudaLaunchKernelEx(&config, cluster_kernel, l));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
