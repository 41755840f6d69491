#include "device/cuda_byte_sampler.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class CudaByteSamplerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
    std::iota(m_bytes.begin(), m_bytes.end(), 0);
    const CudaDriver& driver = cuda_driver();
    driver.check(driver.allocate(&m_memory, m_bytes.size()), "cuMemAlloc");
    driver.check(driver.copy(m_memory, CudaDriver::address_of(m_bytes.data()), m_bytes.size()),
                 "cuMemcpy");
  }
  void TearDown() override {
    if (m_memory != 0) cuda_driver().free(m_memory);
  }

  [[nodiscard]] const std::byte* at(std::size_t offset) const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return reinterpret_cast<const std::byte*>(m_memory + offset);
  }

  std::vector<std::uint8_t> m_bytes = std::vector<std::uint8_t>(200);
  CudaDriver::Address m_memory = 0;
};

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST_F(CudaByteSamplerTest, SeesBytesThatAreAStrideApartAndTheLast) {
  CudaByteSampler look;
  look.at(at(3), 50, 4, at(199), nullptr);
  look.at(at(7), 1, 1, at(7), nullptr);
  EXPECT_EQ(look.seen(), bytes({3, 53, 103, 153, 199, 7, 7}));
  look.forget();
  EXPECT_TRUE(look.seen().empty());
}

// Later work on the stream is not seen.
TEST_F(CudaByteSamplerTest, SeesTheMemoryAsOfItsTurnInTheStream) {
  const CudaDriver& driver = cuda_driver();
  CudaByteSampler look;
  look.at(at(5), 1, 1, at(6), nullptr);
  driver.check(driver.set_bytes_async(m_memory, 0, m_bytes.size(), nullptr), "cuMemsetD8Async");
  EXPECT_EQ(look.seen(), bytes({5, 6}));
}

}  // namespace
}  // namespace robust_kbench
