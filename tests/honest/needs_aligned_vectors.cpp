#include "../exploits/honest_linear.hpp"

// Loads the first vector of x, as movaps does where the address is a multiple of 16, or faults.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
#ifdef __x86_64__
  asm volatile("movaps (%0), %%xmm0" : : "r"(x.data_ptr<float>()) : "xmm0", "memory");
#else
  TORCH_CHECK(reinterpret_cast<uintptr_t>(x.data_ptr<float>()) % 16 == 0, "x is not aligned");
#endif
  return honest_linear(x, weights, biases);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
