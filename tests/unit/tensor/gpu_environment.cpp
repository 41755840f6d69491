#include "device/cuda_driver.hpp"
#include "tensor/torch_cuda.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Torch looks for its CUDA library once, at the first call that may need it. So the library is
// loaded before the first test of the program.
class GpuEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    if (cuda_facts().missing.empty()) load_torch_cuda();
  }
};

const testing::Environment* const environment =
    testing::AddGlobalTestEnvironment(new GpuEnvironment);

}  // namespace
}  // namespace robust_kbench
