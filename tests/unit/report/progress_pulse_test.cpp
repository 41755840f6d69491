#include "report/progress_pulse.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using std::chrono::seconds;

class ProgressPulseTest : public testing::Test {
 protected:
  // The text that is printed when the clock has advanced by `more` seconds.
  std::string said_after(int more) {
    m_now += seconds(more);
    testing::internal::CaptureStderr();
    m_pulse.look();
    return testing::internal::GetCapturedStderr();
  }

  std::chrono::steady_clock::time_point m_now{};
  ProgressPulse m_pulse{[this] { return m_now; }};
};

TEST_F(ProgressPulseTest, PrintsProgressEveryTenSeconds) {
  m_pulse.update("layernorm.forward.mine", "1 of 60 cases");
  EXPECT_EQ(said_after(9), "");
  m_pulse.update("layernorm.forward.mine", "12 of 60 cases");
  EXPECT_EQ(said_after(1), "layernorm.forward.mine: 12 of 60 cases, 10 s\n");
  EXPECT_EQ(said_after(9), "");
  // A long case sends no update, and the line still shows its seconds.
  EXPECT_EQ(said_after(3), "layernorm.forward.mine: 12 of 60 cases, 22 s\n");
}

TEST_F(ProgressPulseTest, PrintsNothingAboutFinishedItems) {
  m_pulse.update("a", "compiling");
  m_pulse.finish("a");
  EXPECT_EQ(said_after(30), "");
  m_pulse.update("b", "compiling");
  EXPECT_EQ(said_after(10), "b: compiling, 10 s\n");
}

TEST_F(ProgressPulseTest, KeepsForeignTextOnItsLineAndFromTheTerminal) {
  m_pulse.update("a\nb: pass", "\x1b[2J");
  EXPECT_EQ(said_after(10), "a\\x0ab: pass: \\x1b[2J, 10 s\n");
}

}  // namespace
}  // namespace robust_kbench
