#include "core/program.hpp"

#include <stdexcept>
#include <string>

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Returns the program's stderr with its exit code behind it.
std::string run(const std::function<int()>& work) {
  testing::internal::CaptureStderr();
  const int code = run_program("rkb", work);
  return testing::internal::GetCapturedStderr() + std::to_string(code);
}

TEST(Program, PassesOnTheExitCode) {
  EXPECT_EQ(run([] { return ExitCode::rejected; }), "1");
}

TEST(Program, DistinguishesUserErrorsFromOwnFailures) {
  EXPECT_EQ(run([]() -> int { throw UserError("no such task"); }), "rkb: no such task\n2");
  EXPECT_EQ(run([]() -> int { throw HarnessError("no worker"); }),
            "rkb: the harness failed: no worker\n3");
  EXPECT_EQ(run([]() -> int { throw std::logic_error("out of range"); }),
            "rkb: the harness failed: out of range\n3");
}

}  // namespace
}  // namespace robust_kbench
