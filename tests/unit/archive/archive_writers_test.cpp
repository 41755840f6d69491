#include <csignal>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive/archive.hpp"
#include "archive_directory.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

// Tests with several processes, some of which are killed.
namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr const char* first_run = "layernorm.forward.cpu.1";

class ArchiveWritersTest : public ArchiveDirectory {
 protected:
  [[nodiscard]] Archive opened() const { return {place(), Archive::Mode::create}; }
  static RunRow begin(Archive& archive) {
    return archive.begin_run({"layernorm", Direction::forward}, Device::cpu, 1, json::object());
  }
  static ProposalRow proposal(int id) {
    ProposalRow row;
    row.id = id;
    row.run = first_run;
    return row;
  }
  // Runs an action in a child process and returns the child's id.
  static pid_t started(const std::function<void()>& action) {
    const pid_t child = fork();
    if (child != 0) return child;
    action();
    _exit(0);
  }
  static int end_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
};

TEST_F(ArchiveWritersTest, RefusesASecondWriterOfARun) {
  Archive first = opened();
  begin(first);
  Archive second = opened();
  try {
    second.save(proposal(1));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.what(), "run " + std::string(first_run) + " is written by process " +
                                std::to_string(getpid()) +
                                " now; wait until that has ended, or end it");
  }
  EXPECT_THROW(second.record_effect(first_run, "key", 1), UserError);
  EXPECT_THROW(second.event(first_run, {{"event", "note"}}), UserError);
  EXPECT_EQ(second.writer_of(first_run), getpid());
  EXPECT_TRUE(second.proposals(first_run).empty());
}

TEST_F(ArchiveWritersTest, LetsAnotherRunBeWrittenAtTheSameTime) {
  Archive first = opened();
  begin(first);
  Archive second = opened();
  EXPECT_EQ(begin(second).id, "layernorm.forward.cpu.2");
  first.save(proposal(1));
}

TEST_F(ArchiveWritersTest, FreesARunWhoseWriterIsGone) {
  {
    Archive first = opened();
    begin(first);
  }
  Archive second = opened();
  EXPECT_EQ(second.writer_of(first_run), std::nullopt);
  second.save(proposal(1));
}

TEST_F(ArchiveWritersTest, FreesARunWhoseWriterWasKilled) {
  const pid_t child = started([&] {
    Archive archive = opened();
    begin(archive);
    raise(SIGKILL);
  });
  ASSERT_EQ(end_of(child), SIGKILL);
  Archive archive = opened();
  EXPECT_EQ(archive.writer_of(first_run), std::nullopt);
  EXPECT_EQ(archive.run(first_run).state, RunState::running);
  archive.save(proposal(1));
}

TEST_F(ArchiveWritersTest, MakesOneArchiveForConcurrentProcesses) {
  std::vector<pid_t> children;
  constexpr int processes = 4;
  for (int i = 0; i < processes; ++i) {
    children.push_back(started([&] {
      Archive archive = opened();
      begin(archive);
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(end_of(child), 0);
  EXPECT_EQ(opened().runs().size(), processes);
}

// The system kills a process that lets a file grow beyond the limit, after it has written up to the
// limit. So each limit kills at another place in the middle of a write.
TEST_F(ArchiveWritersTest, StaysWholeWhereverItsWriterIsKilled) {
  {
    Archive archive = opened();
    begin(archive);
  }
  int saved = 0;
  constexpr rlim_t step = 2500;  // bytes: no multiple of a page
  for (rlim_t bytes = 50'000; bytes < 100'000; bytes += step) {
    const pid_t child = started([&] {
      Archive archive = opened();
      std::signal(SIGXFSZ, SIG_DFL);
      const rlimit limit{bytes, bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
      // The last row of the killed process may lack its effect.
      if (saved > 0) archive.record_effect(first_run, std::to_string(saved), saved);
      for (int id = saved + 1;; ++id) {
        ProposalRow row = proposal(id);
        row.source_hash = archive.put_content("source " + std::to_string(id));
        archive.save(row);
        archive.record_effect(first_run, std::to_string(id), id);
      }
    });
    ASSERT_EQ(WTERMSIG(end_of(child)), SIGXFSZ);
    const Archive archive(place(), Archive::Mode::read_write);
    const std::vector<ProposalRow> rows = archive.proposals(first_run);
    ASSERT_GT(rows.size(), saved) << bytes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int id = static_cast<int>(i) + 1;
      ASSERT_EQ(rows[i].id, id);
      ASSERT_EQ(archive.content(rows[i].source_hash), "source " + std::to_string(id));
      if (i + 1 < rows.size()) ASSERT_EQ(archive.effect(first_run, std::to_string(id)), json(id));
    }
    saved = static_cast<int>(rows.size());
  }
}

}  // namespace
}  // namespace robust_kbench
