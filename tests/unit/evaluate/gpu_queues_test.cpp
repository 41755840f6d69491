#include "evaluate/gpu_queues.hpp"

#include <fstream>

#include "process/temporary_directory.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class GpuQueuesTest : public testing::Test {
 protected:
  int queues_of(const std::string& text) {
    m_kernel.sources = {m_directory.path() / "kernel.cu"};
    std::ofstream(m_kernel.sources.front()) << text;
    return gpu_queues_of(m_kernel);
  }

  const TemporaryDirectory m_directory{"gpu_queues_test"};
  KernelSource m_kernel;
};

TEST_F(GpuQueuesTest, AreFewWhereNoStreamIsMade) {
  EXPECT_EQ(queues_of("scale<<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(x);"), 3);
}

TEST_F(GpuQueuesTest, AreCudasWhereStreamsMayBeMade) {
  EXPECT_EQ(queues_of("cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);"), 0);
  EXPECT_EQ(queues_of("auto stream = at::cuda::getStreamFromPool();"), 0);
  EXPECT_EQ(queues_of("cublasSgemm(handle, a, b);"), 0);
  EXPECT_EQ(queues_of("return at::conv2d(x, w);"), 0);
  EXPECT_EQ(queues_of("#include \"streams.h\"\n"), 0);
}

TEST_F(GpuQueuesTest, AreCudasWhereMoreIsLinkedThanIsRead) {
  m_kernel.libraries = {"-lmine"};
  EXPECT_EQ(queues_of("scale<<<1, 32>>>(x);"), 0);
  m_kernel.libraries.clear();
  m_kernel.headers = KernelHeaders::torch;
  EXPECT_EQ(queues_of("scale<<<1, 32>>>(x);"), 0);
  m_kernel.headers = KernelHeaders::automatic;
  (void)queues_of("scale<<<1, 32>>>(x);");
  m_kernel.sources.push_back("/no/such/source.cu");
  EXPECT_EQ(gpu_queues_of(m_kernel), 0);
}

}  // namespace
}  // namespace robust_kbench
