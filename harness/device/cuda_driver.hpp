#pragma once

#include <string>

namespace robust_kbench {

struct CudaFacts {
  int device_count = 0;
  std::string missing;  // why there is no usable GPU; empty where there is one
};

// Asks the driver library, without linking it: a machine without a GPU has none.
CudaFacts cuda_facts();

}  // namespace robust_kbench
