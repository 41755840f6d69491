#include <sys/wait.h>
#include <unistd.h>

#include "../exploits/honest_linear.hpp"

// A process that has ended when the kernel returns is nobody left behind. It needs system-calls,
// which evolutions refuse unless they are allowed.
torch::Tensor forward(torch::Tensor x, torch::Tensor weights, torch::Tensor biases) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return honest_linear(x, weights, biases);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
}
