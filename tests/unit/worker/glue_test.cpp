#include "worker/glue.hpp"

#include "kernel_fixture.hpp"
#include "worker/tensor.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The plans are in tests/shim/glue.cpp.
class KernelGlue : public KernelTest {
 protected:
  std::vector<Output> run(const std::vector<std::int64_t>& sizes, bool keep = false) {
    return call_tensors("glue", "forward", {m_memory.counting(sizes), {keep}});
  }
  std::string message(const std::vector<std::int64_t>& sizes) {
    const SubjectError error = failure("glue", "forward", {m_memory.counting(sizes), {false}});
    EXPECT_EQ(error.failure(), Failure::exception);
    return error.what();
  }
};

TEST_F(KernelGlue, HasTheSignatureOfForward) {
  const Loaded loaded = load("glue", "forward");
  ASSERT_EQ(loaded.parameters.size(), 2U);
  EXPECT_EQ(loaded.parameters[0].name, "x");
  EXPECT_EQ(loaded.parameters[0].kind, RKB_TENSOR);
  EXPECT_EQ(loaded.parameters[1].kind, RKB_BOOLEAN);
}

TEST_F(KernelGlue, RunsViewsAndFunctions) {
  const std::vector<Output> outputs = run({2, 3});
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_THAT(outputs[0].sizes, ElementsAre(6));
  EXPECT_THAT(outputs[0].values, ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(outputs[1].values, ElementsAre(2, 8));
}

TEST_F(KernelGlue, CallsFunctionsThatReturnNothing) {
  EXPECT_THAT(run({1, 3}).at(0).values, ElementsAre(0, 2, 4));
}

// The test needs a worker, since that can load torch.
TEST_F(WorkerTest, GlueCallsOperatorsOfTorch) {
  start(false);
  const std::vector<Output> outputs =
      read(call(SHIM_KERNELS "glue.so", "forward", {m_inputs->counting({4, 2}), {false}}));
  ASSERT_EQ(outputs.size(), 1U) << m_failure.reason;
  EXPECT_THAT(outputs[0].sizes, ElementsAre(2, 4));
  EXPECT_THAT(outputs[0].values, ElementsAre(1, 7, 13, 19, 4, 10, 16, 22));
}

TEST_F(KernelGlue, ChoosesThePlanByTheReturnedShapes) {
  EXPECT_THAT(run({2, 2}, false).at(0).values, ElementsAre(2, 10));
  EXPECT_THAT(run({2, 2}, true).at(0).values, ElementsAre(1, 5));
  EXPECT_THAT(run({2, 2}, false).at(0).values, ElementsAre(2, 10));
}

TEST_F(KernelGlue, NamesShapesWithoutAPlan) {
  EXPECT_THAT(message({5, 5}), HasSubstr("not recorded for the shapes [[5,5],null]"));
  EXPECT_THAT(message({3, 3}), HasSubstr("row_sums() returned [[3,1]], expected [[3]]"));
  EXPECT_THAT(message({1, 1}), HasSubstr("raises for these shapes: RuntimeError: too small"));
}

TEST_F(KernelGlue, KeepsNoTensorsAfterItsCall) {
  run({2, 3});
  m_subject.release();
  EXPECT_TRUE(live_tensors().empty());
}

class GlueText : public testing::Test {
 protected:
  static std::string refused(const std::string& plan) {
    const rkb_module module{
        .version = RKB_ABI_VERSION, .function_count = 0, .functions = nullptr, .headers = "shim"};
    try {
      const Glue glue("{\"parameters\": [], \"plans\": [" + plan + "]}", module, false);
    } catch (const SubjectError& error) {
      EXPECT_EQ(error.failure(), Failure::load_error);
      return error.what();
    }
    return "nothing";
  }
};

TEST_F(GlueText, IsRefusedIfMalformed) {
  EXPECT_THAT(refused("{"), HasSubstr("the kernel's glue: "));
  EXPECT_THAT(refused(R"({"shapes": [], "steps": [], "outputs": [0]})"),
              HasSubstr("returns a value that does not exist"));
  EXPECT_THAT(refused(R"({"shapes": [[1]], "outputs": [], "steps": [
                {"op": "aten::relu", "args": [{"t": 1}], "outputs": 1}]})"),
              HasSubstr("refers to a value that does not exist"));
  EXPECT_THAT(refused(R"({"shapes": [[1]], "outputs": [], "steps": [
                {"view": 1, "sizes": [1], "strides": [1], "offset": 0}]})"),
              HasSubstr("malformed view"));
  EXPECT_THAT(refused(R"({"shapes": [[1]], "outputs": [], "steps": [
                {"call": "f", "args": [], "outputs": 0, "results": []}]})"),
              HasSubstr("calls f(), which the module does not have"));
  EXPECT_EQ(refused(R"({"shapes": [[1]], "outputs": [0], "steps": []})"), "nothing");
}

}  // namespace
}  // namespace robust_kbench
