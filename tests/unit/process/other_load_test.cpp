#include "process/other_load.hpp"

#include <fstream>
#include <string>
#include <unistd.h>

#include "process/temporary_directory.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// A stand-in for /proc in which a test sets the times of processors 0, 1 and 10 and of processes.
class OtherLoadTest : public testing::Test {
 protected:
  // Sets the ticks so far, and how many of these each processor was busy. The rest was idle.
  void processors(int ticks, int busy_0, int busy_1, int busy_10) {
    std::ofstream stat(m_proc.path() / "stat");
    stat << "cpu  1 2 3 4\n";
    const auto line = [&](const char* name, int busy) {
      // Half of the busy time counts as stolen by a hypervisor. Half of the idle time counts as
      // waiting for input and output.
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

TEST_F(OtherLoadTest, IsBusyTimeWithoutOwnTime) {
  processors(1000, 100, 200, 300);
  process(7, "10 5 0 0");
  process(8, "0 0 20 0");
  const OtherLoad load = this->load({0, 1});
  processors(1100, 200, 270, 300);
  process(7, "50 15 0 0");
  process(8, "0 0 20 40");
  ASSERT_TRUE(load.busy_cpus());
  // In 200 ticks of both processors, 170 were busy, and 90 of these were own.
  EXPECT_DOUBLE_EQ(*load.busy_cpus(), 0.8);
}

TEST_F(OtherLoadTest, CountsOnlyTheGivenProcessors) {
  processors(1000, 0, 0, 0);
  const OtherLoad of_first = load({0});
  const OtherLoad of_last = load({10});
  processors(1100, 0, 100, 50);
  EXPECT_DOUBLE_EQ(of_first.busy_cpus().value(), 0);
  EXPECT_DOUBLE_EQ(of_last.busy_cpus().value(), 0.5);
}

TEST_F(OtherLoadTest, IsNeverNegative) {
  processors(1000, 0, 0, 0);
  const OtherLoad load = this->load({0});
  processors(1100, 10, 0, 0);
  process(7, "12 0 0 0");
  EXPECT_DOUBLE_EQ(load.busy_cpus().value(), 0);
}

TEST_F(OtherLoadTest, IsUnknownWithoutCounts) {
  EXPECT_FALSE(load({0}).busy_cpus()) << "there is no such file";
  processors(1000, 0, 0, 0);
  EXPECT_FALSE(load({3}).busy_cpus()) << "there is no such processor";
  EXPECT_FALSE(load({0}).busy_cpus()) << "no time has gone";
}

}  // namespace
}  // namespace robust_kbench
