#include "tensor/fill_on_device.hpp"

#include <vector>

#include "device/cuda_driver.hpp"
#include "tensor/fill.hpp"

#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Compares bits, so that -0 differs from 0.
bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  return a.view(at::kInt).eq(b.view(at::kInt)).all().item<bool>();
}

at::Tensor filled_by_host(const Distribution& distribution, std::uint64_t key, std::int64_t count) {
  at::Tensor filled = at::empty({count}, at::kFloat);
  auto* fill = distribution.kind == Distribution::Kind::normal ? fill_normal : fill_uniform;
  fill(distribution, key, filled.mutable_data_ptr<float>(), 0, count);
  return filled;
}

// 10,000,001 elements end inside of a block.
TEST(FillOnDevice, MakesTheHostsBitsOnAGpu) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  const c10::Device device(c10::kCUDA, 0);
  for (const Distribution& distribution :
       {normal(), normal(-3, 0.02), uniform(0, 1), uniform(-0.1, 0.3)}) {
    for (const std::int64_t count : {0, 1, 255, 256, 10'000'001}) {
      const at::Tensor made = fill_on_device(distribution, 0x123456789abcdef, count, device);
      ASSERT_EQ(made.device().type(), device.type());
      EXPECT_TRUE(same_bits(made.cpu(), filled_by_host(distribution, 0x123456789abcdef, count)))
          << count << " elements of normal or uniform(" << distribution.a << ", " << distribution.b
          << ")";
    }
  }
}

}  // namespace
}  // namespace robust_kbench
