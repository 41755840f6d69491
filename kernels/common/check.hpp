#pragma once

#include <torch/extension.h>

// Every kernel of this folder checks this of a tensor before it takes its address.
#define CHECK_FLOAT_INPUT(tensor)                                                 \
  TORCH_CHECK(!(tensor).is_cuda() && (tensor).scalar_type() == torch::kFloat32 && \
                  (tensor).is_contiguous(),                                       \
              #tensor " must be a contiguous float32 tensor on the CPU")
