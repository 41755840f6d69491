#include "device/cuda_unwritten_memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "device/cuda_driver.hpp"
#include "device/gpu_facts.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned words_of_a_thread = 16;

// Lets %to be the place of the thread's words in `seen`.
constexpr const char* place_of_thread = R"(
  .reg .b32 %thread, %block, %first;
  .reg .b64 %to, %offset;
  ld.param.u64 %to, [seen];
  cvta.to.global.u64 %to, %to;
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
  mad.lo.u32 %first, %block, 256, %thread;
  mul.wide.u32 %offset, %first, 64;
  add.u64 %to, %to, %offset;
)";

// Each thread copies unwritten words to `seen`, of its block's shared memory, of an array of its
// own, or of its registers.
std::string source() {
  return std::string(R"(
.version 6.0
.target sm_60
.address_size 64
.visible .entry copy_shared(.param .u64 seen)
{
  .shared .align 16 .b8 memory[16384];
  .reg .pred %more;
  .reg .b32 %index, %word, %at;
)") + place_of_thread +
         R"(  mov.u32 %at, memory;
  mad.lo.u32 %at, %thread, 64, %at;
  mov.u32 %index, 0;
next:
  ld.volatile.shared.u32 %word, [%at];
  st.global.u32 [%to], %word;
  add.u32 %at, %at, 4;
  add.u64 %to, %to, 4;
  add.u32 %index, %index, 1;
  setp.lt.u32 %more, %index, 16;
  @%more bra next;
  ret;
}
.visible .entry copy_local(.param .u64 seen)
{
  .local .align 16 .b8 array[64];
  .reg .pred %more;
  .reg .b32 %index, %word;
  .reg .b64 %at;
)" + place_of_thread +
         R"(  mov.u64 %at, array;
  cvta.local.u64 %at, %at;
  mov.u32 %index, 0;
next:
  ld.volatile.u32 %word, [%at];
  st.global.u32 [%to], %word;
  add.u64 %at, %at, 4;
  add.u64 %to, %to, 4;
  add.u32 %index, %index, 1;
  setp.lt.u32 %more, %index, 16;
  @%more bra next;
  ret;
}
.visible .entry copy_registers(.param .u64 seen)
{
  .reg .b32 %unset<16>;
)" + place_of_thread +
         R"(  st.global.v4.u32 [%to], {%unset0, %unset1, %unset2, %unset3};
  st.global.v4.u32 [%to+16], {%unset4, %unset5, %unset6, %unset7};
  st.global.v4.u32 [%to+32], {%unset8, %unset9, %unset10, %unset11};
  st.global.v4.u32 [%to+48], {%unset12, %unset13, %unset14, %unset15};
  ret;
}
)";
}

class CudaUnwrittenMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
    m_blocks = static_cast<unsigned>(gpu_facts().multiprocessors);
    m_seen.resize(std::size_t{m_blocks} * block_threads * words_of_a_thread);
    const CudaDriver& driver = cuda_driver();
    driver.check(driver.load_module(&m_module, source().c_str()), "cuModuleLoadData");
    driver.check(driver.allocate(&m_memory, m_seen.size() * sizeof(float)), "cuMemAlloc");
  }
  void TearDown() override {
    if (m_memory != 0) cuda_driver().free(m_memory);
  }

  const std::vector<float>& seen_by(const char* kernel) {
    const CudaDriver& driver = cuda_driver();
    void* function = nullptr;
    driver.check(driver.get_function(&function, m_module, kernel), "cuModuleGetFunction");
    std::array<void*, 1> parameters{&m_memory};
    driver.check(driver.launch(function, m_blocks, 1, 1, block_threads, 1, 1, 0, nullptr,
                               parameters.data(), nullptr),
                 "cuLaunchKernel");
    driver.check(
        driver.copy(CudaDriver::address_of(m_seen.data()), m_memory, m_seen.size() * sizeof(float)),
        "cuMemcpy");
    return m_seen;
  }

 private:
  unsigned m_blocks = 0;
  void* m_module = nullptr;
  CudaDriver::Address m_memory = 0;
  std::vector<float> m_seen;
};

std::ptrdiff_t spoiling_in(const std::vector<float>& values) {
  return std::count_if(values.begin(), values.end(),
                       [](float x) { return std::isnan(x) || std::abs(x) > 1e20F; });
}

bool all_spoil(const std::vector<float>& values) {
  return spoiling_in(values) == static_cast<std::ptrdiff_t>(values.size());
}

TEST_F(CudaUnwrittenMemoryTest, SpoilsSharedMemoryOfEveryMultiprocessor) {
  const CudaUnwrittenMemory unwritten;
  unwritten.fill_multiprocessors(1);
  EXPECT_TRUE(all_spoil(seen_by("copy_shared")));
}

// The kernel that fills has its addresses in some registers, and the one that looks does, too.
TEST_F(CudaUnwrittenMemoryTest, SpoilsMostRegistersOfEveryMultiprocessor) {
  const CudaUnwrittenMemory unwritten;
  unwritten.fill_multiprocessors(1);
  const std::vector<float>& seen = seen_by("copy_registers");
  const std::ptrdiff_t spoiling = spoiling_in(seen);
  std::printf("%.3f of all words spoil a result\n",
              static_cast<double>(spoiling) / static_cast<double>(seen.size()));
  EXPECT_GT(2 * spoiling, static_cast<std::ptrdiff_t>(seen.size()));
}

TEST_F(CudaUnwrittenMemoryTest, SpoilsLocalMemory) {
  const CudaUnwrittenMemory unwritten;
  unwritten.fill_local(1);
  EXPECT_TRUE(all_spoil(seen_by("copy_local")));
}

}  // namespace
}  // namespace robust_kbench
