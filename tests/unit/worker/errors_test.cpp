#include "kernel_fixture.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class KernelErrors : public KernelTest {
 protected:
  std::string thrown(const std::string& entry, Failure expected = Failure::exception) {
    const SubjectError error = failure("errors", entry, {m_memory.counting({2, 3})});
    EXPECT_EQ(error.failure(), expected) << error.what();
    return error.what();
  }
};

TEST_F(KernelErrors, ACheckJoinsThePartsOfItsMessage) {
  EXPECT_EQ(thrown("check"), "expected 5 dimensions, got 2 in [2, 3] Float on cpu eps 0.5!17");
  EXPECT_EQ(thrown("bare_check"), "Expected x.dim() == 5 to be true, but got false.");
  EXPECT_EQ(thrown("comparison"), "Check failed: x.dim() == 5 (2 vs. 5)");
  EXPECT_EQ(thrown("caught"), "again: inside");
  EXPECT_EQ(thrown("at_error"), "refused 3");
}

TEST_F(KernelErrors, AnyThrownTypeIsCaught) {
  EXPECT_EQ(thrown("number"), "an exception that is no std::exception");
}

TEST_F(KernelErrors, AFullArenaIsOutOfMemory) {
  thrown("bad_alloc", Failure::out_of_memory);
  EXPECT_EQ(thrown("endless", Failure::out_of_memory), "out of memory: no room for Float[1048576]");
}

TEST_F(KernelErrors, MisuseHasTorchsErrorMessages) {
  EXPECT_EQ(thrown("wrong_pointer"), "expected scalar type Double but found Float");
  EXPECT_THAT(thrown("wrong_cast"), HasSubstr("tensor has no dimensions"));
  EXPECT_THAT(thrown("undefined"), HasSubstr("undefined"));
  EXPECT_THAT(thrown("negative"), HasSubstr("must not be negative"));
  EXPECT_EQ(thrown("on_cuda"), "a CPU kernel has no CUDA");
  EXPECT_EQ(thrown("dispatch"), "\"my_kernel\" not implemented for 'Long'");
}

TEST_F(KernelErrors, AnImpossibleViewIsRefused) {
  const ArgumentValue x = m_memory.counting({2, 3, 4});
  EXPECT_THAT(failure("views", "impossible_view", {x}).what(),
              StartsWith("view size is not compatible"));
  EXPECT_STREQ(failure("views", "wrong_view", {x}).what(),
               "shape '[5, 5]' is invalid for input of size 24");
  EXPECT_STREQ(failure("views", "wrong_dimension", {x}).what(),
               "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
}

TEST_F(KernelErrors, AnExceptionInAParallelLoopReachesTheCaller) {
  EXPECT_STREQ(failure("dispatch", "thrown_in_parallel", {m_memory.counting({1})}).what(),
               "chunk of 0 refused");
}

TEST_F(KernelErrors, AFailedCallDoesNotAffectTheNextOne) {
  thrown("check");
  EXPECT_EQ(call("results", "one", {m_memory.counting({1})}).size(), 1U);
}

}  // namespace
}  // namespace robust_kbench
