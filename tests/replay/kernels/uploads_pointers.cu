#include "affine.cuh"

namespace {

struct Work {
  const float* x;
  float* y;
  float scale;
  float shift;
};

__global__ void by_table(const Work* work, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) work->y[i] = work->scale * work->x[i] + work->shift;
}

}  // namespace

torch::Tensor forward(torch::Tensor x) {
  static Work* table = nullptr;
  if (table == nullptr) check(cudaMalloc(&table, sizeof(Work)));
  torch::Tensor y = torch::empty_like(x);
  const int n = x.numel();
  const Work work{x.data_ptr<float>(), y.data_ptr<float>(), 2, 1};
  check(cudaMemcpyAsync(table, &work, sizeof work, cudaMemcpyHostToDevice));
  by_table<<<(n + 255) / 256, 256>>>(table, n);
  return y;
}

MODULE
