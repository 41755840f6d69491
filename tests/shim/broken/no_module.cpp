#include <torch/extension.h>

at::Tensor forward(at::Tensor x) {
  return x;
}
