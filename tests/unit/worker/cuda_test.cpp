#include <fstream>
#include <kernel/robust_kbench_abi.h>
#include <optional>

#include "core/record.hpp"
#include "device/cuda_driver.hpp"
#include "device/gpu_lock.hpp"
#include "kernel_fixture.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

using Sizes = std::vector<std::int64_t>;

// The shim on the GPU. x is 1, 2, ... 6 in 2 x 3.
class Cuda : public WorkerTest {
 protected:
  explicit Cuda(const std::string& kernel) {
    std::ifstream in(CUDA_SHIM_KERNELS + kernel + ".json");
    m_build = nlohmann::json::parse(in).get<BuildRecord>();
  }

  void SetUp() override {
    if (m_build.judgement.verdict == Verdict::skipped) GTEST_SKIP() << m_build.judgement.reason;
    ASSERT_EQ(to_string(m_build.judgement.verdict), "pass") << m_build.judgement.reason;
    if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
    m_alone.emplace(GpuLock::Use::exclusive);
    start(true);
    m_x = m_inputs->floats({2, 3}, {1, 2, 3, 4, 5, 6});
  }

  std::vector<ResultValue> results(const std::string& entry) { return results(entry, {m_x}); }
  std::vector<ResultValue> results(const std::string& entry, std::vector<ArgumentValue> arguments) {
    return call(m_build.library, entry, std::move(arguments));
  }

  // Returns the outputs, all of which are on the GPU.
  std::vector<Output> outputs(const std::string& entry) { return outputs(entry, {m_x}); }
  std::vector<Output> outputs(const std::string& entry, std::vector<ArgumentValue> arguments) {
    const auto all = results(entry, std::move(arguments));
    for (const ResultValue& result : all) {
      EXPECT_EQ(std::get<TensorRef>(result).device_type, RKB_CUDA);
    }
    return read(all);
  }

  ArgumentValue m_x;

 private:
  BuildRecord m_build;
  std::optional<GpuLock> m_alone;  // another test's kernel may take all memory of the GPU
};

class CudaKernels : public Cuda {
 protected:
  CudaKernels() : Cuda("cuda_kernels") {}
};

class CudaChecklist : public Cuda {
 protected:
  CudaChecklist() : Cuda("cuda_checklist") {}
};

class CudaTensors : public Cuda {
 protected:
  CudaTensors() : Cuda("cuda_tensors") {}
};

TEST_F(CudaKernels, AreDispatchedByElementType) {
  const auto y = outputs("with_default");
  ASSERT_EQ(y.size(), 3U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(0, 0, 0, 4, 5, 6));
  EXPECT_EQ(y[1].dtype, RKB_FLOAT16);
  EXPECT_THAT(y[1].values, ElementsAre(0, 0, 0, 4, 5, 6));
  EXPECT_EQ(y[2].dtype, RKB_FLOAT64);
  EXPECT_THAT(y[2].values, ElementsAre(0.5, 1, 1.5, 6, 7.5, 9));
}

TEST_F(CudaKernels, TakeOptionalArguments) {
  const auto y = outputs("dispatched", {m_x, m_x, {2.0}});
  ASSERT_EQ(y.size(), 1U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(2, 4, 6, 12, 15, 18));
}

TEST_F(CudaKernels, ComputeIn16Bits) {
  const auto y = outputs("dispatched_in_16_bits");
  ASSERT_EQ(y.size(), 3U) << m_failure.reason;
  for (const Output& output : y) EXPECT_THAT(output.values, ElementsAre(1, 4, 9, 16, 25, 36));
  EXPECT_EQ(y[2].dtype, RKB_BFLOAT16);
}

TEST_F(CudaKernels, ShareHalvesWithCudasOwn) {
  const auto y = outputs("halves", {m_x, {ArgumentTuple{m_x}}});
  ASSERT_EQ(y.size(), 2U) << m_failure.reason;
  EXPECT_EQ(y[0].dtype, RKB_FLOAT16);
  EXPECT_THAT(y[0].values, ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_EQ(y[1].dtype, RKB_BFLOAT16);
  EXPECT_THAT(y[1].values, ElementsAre(4, 8, 12, 16, 20, 24));
}

TEST_F(CudaKernels, TakePackedAccessors) {
  const auto y = outputs("transposed");
  ASSERT_EQ(y.size(), 1U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST_F(CudaKernels, CallCublas) {
  const auto y = outputs("by_blas");
  ASSERT_EQ(y.size(), 1U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(17, 22, 27, 22, 29, 36, 27, 36, 45));
}

TEST_F(CudaKernels, ChooseTheirStream) {
  const auto y = outputs("on_another_stream");
  ASSERT_EQ(y.size(), 1U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(1, 2, 3, 8, 10, 12));
}

TEST_F(CudaKernels, KnowTheirDevice) {
  const auto facts = results("facts");
  ASSERT_EQ(facts.size(), 5U) << m_failure.reason;
  EXPECT_EQ(std::get<std::int64_t>(facts[0]), 0);
  EXPECT_EQ(std::get<std::int64_t>(facts[1]), 0);
  for (std::size_t i = 2; i < 5; ++i) EXPECT_EQ(std::get<std::int64_t>(facts[i]), 1) << i;
}

TEST_F(CudaKernels, FailByTheirChecks) {
  EXPECT_TRUE(results("of_the_cpu").empty());
  EXPECT_EQ(m_failure.verdict, Verdict::exception);
  EXPECT_EQ(m_failure.reason, "the kernel threw: x must be a CPU tensor, not on cuda:0");
}

TEST_F(CudaKernels, FailByACudaError) {
  EXPECT_TRUE(results("of_no_pointer").empty());
  EXPECT_EQ(m_failure.verdict, Verdict::exception);
  EXPECT_THAT(m_failure.reason, HasSubstr("CUDA error: invalid argument"));
}

TEST_F(CudaChecklist, ArgumentsMayBeLeftOut) {
  const auto y = outputs("scaled_sum");
  ASSERT_EQ(y.size(), 1U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(CudaChecklist, ATupleKnowsItsSize) {
  const auto y = outputs("of_saved", {m_x, {ArgumentTuple{m_x, m_x}}});
  ASSERT_EQ(y.size(), 2U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_THAT(y[1].values, ElementsAre(3, 6, 9, 12, 15, 18));
  EXPECT_TRUE(results("of_saved", {m_x, {ArgumentTuple{m_x}}}).empty());
  EXPECT_EQ(m_failure.reason, "the kernel threw: two tensors were saved, not 1");
}

TEST_F(CudaChecklist, ThereMayBe21Arguments) {
  const auto y = outputs("with_21_arguments");
  ASSERT_EQ(y.size(), 1U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(27, 54, 81, 108, 135, 162));
}

TEST_F(CudaTensors, AreMade) {
  const auto y = outputs("made");
  ASSERT_EQ(y.size(), 10U) << m_failure.reason;
  EXPECT_EQ(y[0].sizes, Sizes({2, 3}));
  EXPECT_THAT(y[0].values, Each(7));
  EXPECT_THAT(y[1].values, Each(0));
  EXPECT_THAT(y[2].values, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(y[3].values, Each(0));
  EXPECT_EQ(y[4].dtype, RKB_INT32);
  EXPECT_THAT(y[4].values, ElementsAre(1, 1, 1));
  EXPECT_EQ(y[5].dtype, RKB_FLOAT64);
  EXPECT_THAT(y[5].values, ElementsAre(1.5, 1.5));
  EXPECT_THAT(y[6].values, Each(3));
  EXPECT_THAT(y[7].values, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(y[8].dtype, RKB_INT64);
  EXPECT_THAT(y[8].values, ElementsAre(0, 0));
  EXPECT_EQ(y[9].sizes, Sizes({1, 2}));
  EXPECT_THAT(y[9].values, Each(4));
}

TEST_F(CudaTensors, ChangeTheirShape) {
  const auto y = outputs("reshaped");
  ASSERT_EQ(y.size(), 8U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(y[1].sizes, Sizes({3, 2}));
  EXPECT_EQ(y[2].strides, Sizes({1, 3}));
  EXPECT_THAT(y[2].values, ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_EQ(y[3].strides, Sizes({2, 1}));
  EXPECT_THAT(y[3].values, ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(y[4].values, ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(y[5].values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(y[6].values, ElementsAre(4, 5, 6));
  EXPECT_THAT(y[7].values, ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST_F(CudaTensors, ConvertAndCopyBetweenDevices) {
  const auto y = outputs("converted");
  ASSERT_EQ(y.size(), 6U) << m_failure.reason;
  for (const Output& output : y) EXPECT_THAT(output.values, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(y[0].dtype, RKB_FLOAT16);
  EXPECT_EQ(y[1].dtype, RKB_FLOAT32);
  EXPECT_EQ(y[2].dtype, RKB_INT64);
  EXPECT_EQ(y[3].dtype, RKB_BFLOAT16);
  EXPECT_EQ(y[4].dtype, RKB_FLOAT32);
  EXPECT_EQ(y[5].dtype, RKB_FLOAT64);
}

TEST_F(CudaTensors, HaveItems) {
  const auto items = results("items");
  ASSERT_EQ(items.size(), 4U) << m_failure.reason;
  EXPECT_EQ(std::get<double>(items[0]), 6);
  EXPECT_EQ(std::get<double>(items[1]), 41);
  EXPECT_EQ(std::get<double>(items[2]), 42);
  EXPECT_EQ(std::get<double>(items[3]), 21);
}

TEST_F(CudaTensors, AreComputedByTorch) {
  const auto y = outputs("operators");
  ASSERT_EQ(y.size(), 11U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(1, 4, 9, 16, 25, 36));
  EXPECT_THAT(y[1].values, Each(0));
  EXPECT_THAT(y[2].values, ElementsAre(2.5, 3.5, 4.5, 5.5, 6.5, 7.5));
  EXPECT_THAT(y[3].values, ElementsAre(0.5, 1, 1.5, 2, 2.5, 3));
  EXPECT_FLOAT_EQ(static_cast<float>(y[4].values[3]), 0.25F);
  EXPECT_THAT(y[5].values, ElementsAre(21));
  EXPECT_THAT(y[6].values, ElementsAre(2, 5));
  for (std::size_t i = 7; i < 10; ++i) {
    EXPECT_THAT(y[i].values, ElementsAre(14, 32, 32, 77)) << i;
  }
  EXPECT_THAT(y[10].values, ElementsAre(12, 16));
}

TEST_F(CudaTensors, MayUseTheKernelsOwnMemory) {
  const auto y = outputs("borrowed_memory");
  ASSERT_EQ(y.size(), 1U) << m_failure.reason;
  EXPECT_THAT(y[0].values, ElementsAre(1, 2, 3, 4, 5, 6));
}

}  // namespace
}  // namespace robust_kbench
