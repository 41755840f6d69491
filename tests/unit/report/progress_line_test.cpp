#include "report/progress_line.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(ProgressLine, KeepsForeignTextOnItsLineAndFromTheTerminal) {
  testing::internal::CaptureStderr();
  {
    ProgressLine line;
    line.finish("scale it\x1b[2J\nACCEPTED é");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "scale it\\x1b[2J\\x0aACCEPTED é\n");
}

}  // namespace
}  // namespace robust_kbench
