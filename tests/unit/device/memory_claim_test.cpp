#include "device/memory_claim.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

constexpr uid_t nobody = 65534;

// A process that does `work` and stays until it is killed.
class OtherProcess {
 public:
  // Returns once `work` has called its argument.
  explicit OtherProcess(const std::function<void(const std::function<void()>& ready)>& work) {
    std::array<int, 2> ready{};
    EXPECT_EQ(pipe(ready.data()), 0);
    m_pid = fork();
    if (m_pid == 0) {
      work([&] { EXPECT_EQ(write(ready[1], "", 1), 1); });
      while (true) pause();
    }
    close(ready[1]);
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
  }
  ~OtherProcess() { die(); }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

  void die() {
    if (m_pid == 0) return;
    kill(m_pid, SIGKILL);
    waitpid(std::exchange(m_pid, 0), nullptr, 0);
  }
  [[nodiscard]] pid_t pid() const { return m_pid; }

 private:
  pid_t m_pid = 0;
};

class MemoryClaimTest : public testing::Test {
 protected:
  MemoryClaimTest() {
    std::string pattern = testing::TempDir() + "memory_claim_XXXXXX";
    m_directory = mkdtemp(pattern.data());
    std::filesystem::permissions(m_directory, std::filesystem::perms::all);
    m_budget = {
        .path = m_directory / "claims", .bytes = 100, .wait_limit = std::chrono::seconds(20)};
  }
  ~MemoryClaimTest() override { std::filesystem::remove_all(m_directory); }

  MemoryClaim claim(std::size_t bytes) const { return MemoryClaim::wait(m_budget, bytes, bytes); }
  // Whether a claim is granted at once.
  [[nodiscard]] bool is_free(std::size_t bytes) const {
    struct Waits {};
    try {
      MemoryClaim::wait(m_budget, bytes, bytes, [](const auto&) { throw Waits(); });
      return true;
    } catch (const Waits&) {
      return false;
    }
  }

  // A thread that claims and releases what it is granted at once. Returns once it has to wait.
  std::future<void> waiter(std::size_t bytes, const std::function<void()>& when_granted) {
    auto waits = std::make_shared<std::promise<bool>>();
    auto done = std::async(std::launch::async, [this, bytes, when_granted, waits] {
      bool told = false;
      const MemoryClaim granted = MemoryClaim::wait(m_budget, bytes, bytes, [&](const auto&) {
        told = true;
        waits->set_value(true);
      });
      if (!told) waits->set_value(false);
      when_granted();
    });
    EXPECT_TRUE(waits->get_future().get());
    return done;
  }

  std::filesystem::path m_directory;
  MemoryBudget m_budget;
};

TEST_F(MemoryClaimTest, GrantsAllOrNothing) {
  const MemoryClaim held = claim(60);
  EXPECT_FALSE(is_free(41));
  EXPECT_TRUE(is_free(40));
}

TEST_F(MemoryClaimTest, IsGivenBackWithItsObject) {
  { const MemoryClaim held = claim(60); }
  EXPECT_TRUE(is_free(100));
}

TEST_F(MemoryClaimTest, GrantsInTheOrderOfArrival) {
  std::optional<MemoryClaim> held = claim(60);
  std::vector<int> order;  // no two waiters fit beside each other
  std::future<void> first = waiter(80, [&] { order.push_back(1); });
  // The second claim would fit beside the held one, but has to wait for the first.
  std::future<void> second = waiter(30, [&] { order.push_back(2); });
  std::future<void> third = waiter(100, [&] { order.push_back(3); });
  EXPECT_FALSE(is_free(1));
  held.reset();
  first.get();
  second.get();
  third.get();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST_F(MemoryClaimTest, IsReleasedIfItsProcessIsKilled) {
  OtherProcess holder([&](const auto& ready) {
    const MemoryClaim held = claim(80);
    ready();
    pause();
  });
  EXPECT_FALSE(is_free(50));
  EXPECT_EQ(claimed_by_others(m_budget, getpid()), 80);
  EXPECT_EQ(claimed_by_others(m_budget, holder.pid()), 0);
  holder.die();
  EXPECT_TRUE(is_free(100));
}

TEST_F(MemoryClaimTest, LetsTheNextPassIfAWaitingProcessIsKilled) {
  const MemoryClaim held = claim(60);
  OtherProcess waiting([&](const auto& ready) {
    MemoryClaim::wait(m_budget, 50, 50, [&](const auto&) { ready(); });
  });
  EXPECT_FALSE(is_free(40));
  waiting.die();
  EXPECT_TRUE(is_free(40));
}

// Each claimant is a process of its own, and claims several times.
TEST_F(MemoryClaimTest, LetsSixClaimantsOfFortyPercentAllFinish) {
  constexpr int processes = 6;
  constexpr int claims = 5;
  struct Tally {
    std::atomic<int> at_work;
    std::atomic<int> max_at_work;
  };
  void* memory =
      mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* tally = new (memory) Tally{};
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    for (int j = 0; j < claims; ++j) {
      const MemoryClaim held = claim(40);
      const int now = ++tally->at_work;
      for (int seen = tally->max_at_work;
           seen < now && !tally->max_at_work.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      --tally->at_work;
    }
    _exit(0);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_LE(tally->max_at_work, 2);
  EXPECT_TRUE(is_free(100));
  munmap(memory, sizeof(Tally));
}

TEST_F(MemoryClaimTest, GrantsATooLargeClaimOnceTheOthersAreGone) {
  std::optional<MemoryClaim> held = claim(10);
  std::future<void> large = waiter(150, [&] { EXPECT_FALSE(is_free(1)); });
  held.reset();
  large.get();
}

TEST_F(MemoryClaimTest, TakesFreeBytesUpToTheMost) {
  const MemoryClaim held = claim(30);
  MemoryClaim claimed = MemoryClaim::wait(m_budget, 20, 90);
  EXPECT_EQ(claimed.bytes(), 70);
  EXPECT_EQ(MemoryClaim::wait(m_budget, 0, 10).bytes(), 0);
  claimed.shrink(50);
  EXPECT_EQ(claimed.bytes(), 50);
  EXPECT_TRUE(is_free(20));
  EXPECT_FALSE(is_free(21));
}

TEST_F(MemoryClaimTest, KeepsAPartThatDoesNotBlockOthers) {
  std::optional<MemoryClaim> claimed = claim(50);
  const MemoryClaim kept = claimed->keep(10);
  EXPECT_EQ(claimed->bytes(), 40);
  EXPECT_FALSE(is_free(51));
  claimed.reset();
  EXPECT_TRUE(is_free(90));
  EXPECT_EQ(claim(100).bytes(), 100);  // it never fits, but no other claim is in use
}

TEST_F(MemoryClaimTest, EndsItsWaitIfNothingChanges) {
  const OtherProcess holder([&](const auto& ready) {
    const MemoryClaim held = claim(80);
    ready();
    pause();
  });
  m_budget.wait_limit = std::chrono::milliseconds(1);
  try {
    claim(50);
    FAIL() << "it does not fit";
  } catch (const HarnessError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("process " + std::to_string(holder.pid()) + " holds 0 MiB; end who"));
  }
  EXPECT_TRUE(is_free(20));
}

TEST_F(MemoryClaimTest, IsMadeAgainIfTheFileWasRemoved) {
  const MemoryClaim held = claim(60);
  std::future<void> waits = waiter(50, [] {});
  std::filesystem::remove(m_budget.path);
  waits.get();
  EXPECT_TRUE(is_free(100));
}

TEST_F(MemoryClaimTest, IgnoresUnlockedRecords) {
  const std::vector<ClaimRecord> stale(
      9, {.ticket = 1, .bytes = 90, .pid = 1, .state = ClaimRecord::held});
  std::ofstream(m_budget.path)
      .write(reinterpret_cast<const char*>(stale.data()),
             static_cast<std::streamsize>(stale.size() * sizeof(ClaimRecord)));
  EXPECT_EQ(claim(100).bytes(), 100);
}

TEST_F(MemoryClaimTest, SaysWhichFileItCannotMake) {
  m_budget.path = m_directory / "missing" / "claims";
  EXPECT_THAT([&] { claim(1); },
              testing::ThrowsMessage<HarnessError>(HasSubstr(m_budget.path + " cannot be opened")));
}

TEST_F(MemoryClaimTest, FollowsNoLink) {
  std::filesystem::create_symlink(m_directory / "elsewhere", m_budget.path);
  EXPECT_THROW(claim(1), HarnessError);
  EXPECT_FALSE(std::filesystem::exists(m_directory / "elsewhere"));
}

TEST_F(MemoryClaimTest, UsesAnotherUsersFileWhichEverybodyMayWrite) {
  if (getuid() != 0) GTEST_SKIP() << "root alone can make another user's file";
  const MemoryClaim own = claim(30);
  const OtherProcess other([&](const auto& ready) {
    EXPECT_EQ(setuid(nobody), 0);
    const MemoryClaim held = claim(40);
    ready();
    pause();
  });
  EXPECT_FALSE(is_free(31));
  EXPECT_TRUE(is_free(30));
}

TEST_F(MemoryClaimTest, SaysThatAnotherUsersFileCannotBeWritten) {
  if (getuid() != 0) GTEST_SKIP() << "root alone can become another user";
  std::ofstream(m_budget.path).close();
  ASSERT_EQ(chmod(m_budget.path.c_str(), 0600), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(nobody) != 0) _exit(1);
    try {
      claim(1);
      _exit(2);
    } catch (const HarnessError& error) {
      _exit(std::string(error.what()).find("give it mode 666") == std::string::npos ? 3 : 0);
    }
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace robust_kbench
