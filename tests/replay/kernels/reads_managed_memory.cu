#include "host_memory.cuh"

torch::Tensor forward(torch::Tensor x) {
  return forward_by_host_memory(
      x, [](float** values, std::size_t bytes) { return cudaMallocManaged(values, bytes); });
}

MODULE
