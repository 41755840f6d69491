#include "process/other_load.hpp"

#include <fstream>
#include <string>
#include <unistd.h>

#include "process/temporary_directory.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// A /proc in which the test sets what has run: processors 0, 1 and 10, and this process.
class OtherLoadTest : public testing::Test {
 protected:
  // Ticks of each processor. Each has been idle for the rest of the time so far.
  void processors(int ticks, int busy_0, int busy_1, int busy_10) {
    std::ofstream stat(m_proc.path() / "stat");
    stat << "cpu  1 2 3 4\n";
    const auto line = [&](const char* name, int busy) {
      // Half of what was busy a hypervisor took. Half of the idle time input and output took.
      const int idle = ticks - busy;
      stat << name << ' ' << busy - busy / 2 << " 0 0 " << idle - idle / 2 << ' ' << idle / 2
           << " 0 0 " << busy / 2 << " 0 0\n";
    };
    line("cpu0", busy_0);
    line("cpu1", busy_1);
    line("cpu10", busy_10);
    stat << "intr 1 2 3\n";
  }

  void process(int pid, const std::string& times) {
    const std::filesystem::path directory = m_proc.path() / std::to_string(pid);
    std::filesystem::create_directories(directory);
    std::ofstream(directory / "stat")
        << pid << " (a b) c) S 1 2 3 4 5 6 7 8 9 10 " << times << " 20 0 1\n";
  }

  [[nodiscard]] OtherLoad load(const std::vector<int>& cpus) const {
    return {cpus, {7, 8}, m_proc.path()};
  }

  const TemporaryDirectory m_proc{"other_load_test"};
};

TEST_F(OtherLoadTest, IsWhatNeitherIdledNorWasOwn) {
  processors(1000, 100, 200, 300);
  process(7, "10 5 0 0");
  process(8, "0 0 20 0");
  const OtherLoad load = this->load({0, 1});
  processors(1100, 200, 270, 300);
  process(7, "50 15 0 0");
  process(8, "0 0 20 40");
  ASSERT_TRUE(load.busy_cpus());
  // 170 ticks of 200 were busy, and 90 of them own.
  EXPECT_DOUBLE_EQ(*load.busy_cpus(), 0.8);
}

TEST_F(OtherLoadTest, CountsNoOtherProcessors) {
  processors(1000, 0, 0, 0);
  const OtherLoad of_first = load({0});
  const OtherLoad of_last = load({10});
  processors(1100, 0, 100, 50);
  EXPECT_DOUBLE_EQ(of_first.busy_cpus().value(), 0);
  EXPECT_DOUBLE_EQ(of_last.busy_cpus().value(), 0.5);
}

TEST_F(OtherLoadTest, IsNeverBelowNothing) {
  processors(1000, 0, 0, 0);
  const OtherLoad load = this->load({0});
  processors(1100, 10, 0, 0);
  process(7, "12 0 0 0");
  EXPECT_DOUBLE_EQ(load.busy_cpus().value(), 0);
}

TEST_F(OtherLoadTest, IsUnknownWhereNothingTells) {
  EXPECT_FALSE(load({0}).busy_cpus()) << "there is no such file";
  processors(1000, 0, 0, 0);
  EXPECT_FALSE(load({3}).busy_cpus()) << "there is no such processor";
  EXPECT_FALSE(load({0}).busy_cpus()) << "no time has gone";
}

}  // namespace
}  // namespace robust_kbench
