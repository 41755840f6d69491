#include "llm/start_helper.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "archive_directory.hpp"
#include "core/descriptor.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* reversed_variable = "RKB_TEST_REVERSED_KEY";

// Whether a text is in memory that this process may write. The text is given reversed, so that the
// argument itself does not match.
bool is_in_memory(const std::string& reversed) {
  constexpr std::size_t chunk = 1 << 20;
  constexpr std::uintptr_t largest_region = 1 << 30;  // larger ones are mostly never written
  const Descriptor memory(open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
  std::vector<char> bytes(chunk + reversed.size());
  bool found = false;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line) && !found;) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::string rights;
    std::istringstream(line) >> std::hex >> begin >> dash >> end >> rights;
    if (!rights.starts_with("rw") || end - begin > largest_region) continue;
    for (std::uintptr_t at = begin; at < end && !found; at += chunk) {
      const std::size_t size = std::min<std::size_t>(bytes.size(), end - at);
      const ssize_t n = pread(memory.get(), bytes.data(), size, static_cast<off_t>(at));
      if (n <= 0) continue;
      const auto last = bytes.begin() + n;
      found = std::search(bytes.begin(), last, reversed.rbegin(), reversed.rend()) != last;
    }
  }
  explicit_bzero(bytes.data(), bytes.size());
  return found;
}

class StartHelperTest : public ArchiveDirectory {
 protected:
  // The scripted helper, and providers of which one is asked.
  StartHelperTest() {
    std::filesystem::create_directories(m_program.providers().parent_path());
    std::ofstream(m_program.providers()) << R"({
      "stub": {"wire": "openai", "base_url": "http://127.0.0.1:9/v1",
               "key_variable": "RKB_TEST_KEY"},
      "other": {"wire": "openai", "base_url": "http://127.0.0.1:9/v1",
                "key_variable": "RKB_TEST_OTHER_KEY"}})";
    std::ofstream(m_program.python)
        << "#!/bin/sh\nshift 2\nexec " << PYTHON << " " << SCRIPTED_HELPER << " \"$@\"\n";
    std::filesystem::permissions(m_program.python, std::filesystem::perms::owner_all);
  }

  // The steps of a process that has begun with the keys in its environment.
  void take_keys(const std::string& reversed) const {
    EXPECT_TRUE(is_in_memory(reversed));
    Surroundings here = surroundings();
    here.forget_keys({"RKB_TEST_KEY", "RKB_TEST_OTHER_KEY"});
    std::atomic<bool> was_hidden = false;
    std::unique_ptr<Helper> helper;
    {
      const std::jthread watch([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
          if (prctl(PR_GET_DUMPABLE) == 0) was_hidden = true;
          std::this_thread::yield();
        }
      });
      helper = start_helper(m_program, {"stub/fine"}, json::object(), here, {});
    }
    EXPECT_TRUE(was_hidden);
    EXPECT_EQ(prctl(PR_GET_DUMPABLE), 1);
    EXPECT_FALSE(is_in_memory(reversed));
    const std::string got = helper->render("keys", json::object(), "00", "a").messages[0].content;
    const std::string key(reversed.rbegin(), reversed.rend());
    EXPECT_EQ(json::parse(got), json({{"RKB_TEST_KEY", key + "-\"\\"}}));
  }

  const HelperProgram m_program{
      .sources = m_directory, .venv = {}, .python = m_directory / "python"};
};

TEST_F(StartHelperTest, LeavesNoKeyInMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer copies the environment";
#endif
  if (const char* reversed = std::getenv(reversed_variable)) {
    take_keys(reversed);
    return;
  }
  const pid_t child = fork();
  if (child == 0) {
    const std::string reversed = "yek-detnalp-gnol-rehtar-a";
    const std::string key(reversed.rbegin(), reversed.rend());
    setenv(reversed_variable, reversed.c_str(), 1);
    setenv("RKB_TEST_KEY", (key + "-\"\\").c_str(), 1);
    setenv("RKB_TEST_OTHER_KEY", (key + "-of-another").c_str(), 1);
    execl("/proc/self/exe", "unit_llm", "--gtest_filter=StartHelperTest.LeavesNoKeyInMemory",
          nullptr);
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(StartHelperTest, RefusesTextsThatAreNoKeys) {
  const auto fault = [this](const std::string& key) -> std::string {
    setenv("RKB_TEST_KEY", key.c_str(), 1);
    Surroundings here = surroundings();
    here.forget_keys({"RKB_TEST_KEY"});
    try {
      (void)start_helper(m_program, {"stub/fine"}, json::object(), here, {});
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(fault("1234567"), HasSubstr("RKB_TEST_KEY has 7 characters, and a key has at least"));
  EXPECT_THAT(fault("12345678\r"), HasSubstr("export the key alone in it"));
  EXPECT_EQ(fault("12345678"), "");
}

}  // namespace
}  // namespace robust_kbench
