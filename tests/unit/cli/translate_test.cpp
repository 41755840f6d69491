#include <filesystem>
#include <fstream>

#include "archive/archive.hpp"
#include "llm/surroundings.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

class Translate : public testing::Test {
 protected:
  // Below CMake only the person's configuration can set a cap.
  CommandResult translate(const std::vector<std::string>& more) const {
    std::vector<std::string> command{CMAKE_PROGRAM, "-E",        "env",        RKB_AGENT_PROGRAM,
                                     "translate",   "--task",    "mnist_pool", "--device",
                                     "cpu",         "--archive", archive()};
    command.insert(command.end(), more.begin(), more.end());
    command.push_back(file());
    return run_command(command, std::chrono::minutes{1});
  }
  [[nodiscard]] std::string archive() const { return m_directory.path() / "archive"; }
  [[nodiscard]] std::string file() const { return m_directory.path() / "kernel.cpp"; }

  const TemporaryDirectory m_directory{"translate"};
};

TEST_F(Translate, SaysHowModelsAreTurnedOnAndBeginsNothing) {
  if (std::filesystem::exists(surroundings().configuration)) {
    GTEST_SKIP() << surroundings().configuration << " may set a cap";
  }
  const CommandResult result = translate({"--model", "openai/gpt-4.1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("to turn models on"));
  EXPECT_FALSE(std::filesystem::exists(archive()));
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(Translate, OverwritesNothing) {
  std::ofstream(file()) << "mine";
  const CommandResult result = translate({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("nothing is overwritten"));
}

TEST_F(Translate, GoesOnWithNoRunOfAnotherKind) {
  const std::string run =
      Archive(archive(), Archive::Mode::create)
          .begin_run({"mnist_pool", Direction::forward}, Device::cpu, 1, nlohmann::json::object())
          .id;
  const CommandResult result = translate({"--resume", run});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("/rkb evolve --task"));
}

}  // namespace
}  // namespace robust_kbench
