#include <filesystem>
#include <fstream>

#include "llm/surroundings.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// What a repository commits makes no call, also where a key is set. That is its settings, a
// variable of a preset, and an option in a build file.
TEST(ModelCap, IsNotSetByARepository) {
  const TemporaryDirectory repository("model_cap");
  const std::string settings = repository.path() / "settings.json";
  std::ofstream(settings)
      << R"({"proposers": ["llm"], "models": ["openai/gpt-4.1"], "max_usd": 100})";
  // CMake starts what a build file says, with the variables of a preset.
  const CommandResult result =
      run_command({CMAKE_PROGRAM, "-E", "env", "RKB_MAX_USD=100", "OPENAI_API_KEY=planted-key",
                   RKB_AGENT_PROGRAM, "evolve", "--task", "mnist_pool", "--device", "cpu",
                   "--settings", settings, "--max-usd", "100", "--dry-run"},
                  std::chrono::minutes{1});
  EXPECT_EQ(result.exit_code, 0);
  if (std::filesystem::exists(surroundings().configuration)) {
    GTEST_SKIP() << surroundings().configuration << " may set a cap";
  }
  EXPECT_THAT(result.output, AllOf(HasSubstr("without a cap nothing of this is asked"),
                                   HasSubstr("does not count below cmake")));
}

}  // namespace
}  // namespace robust_kbench
