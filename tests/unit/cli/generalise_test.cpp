#include "archive/archive.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

TEST(Generalise, NeedsARunWithAWinner) {
  const TemporaryDirectory directory("generalise");
  const std::string place = directory.path() / "archive";
  const std::string run =
      Archive(place, Archive::Mode::create)
          .begin_run({"mnist_pool", Direction::forward}, Device::cpu, 1, nlohmann::json::object())
          .id;
  const auto rkb = [&](std::vector<std::string> command) {
    command.insert(command.begin(), {RKB_AGENT_PROGRAM, "archive"});
    command.insert(command.end(), {run, "--archive", place});
    return run_command(command, std::chrono::minutes{1});
  };
  const CommandResult evaluated = rkb({"generalise"});
  EXPECT_EQ(evaluated.exit_code, 2);
  EXPECT_THAT(evaluated.output, HasSubstr("has no winner"));
  const CommandResult exported = rkb({"export", "--format", "generalisation"});
  EXPECT_EQ(exported.exit_code, 2);
  EXPECT_THAT(exported.output, HasSubstr("has no winner; give another run"));
}

}  // namespace
}  // namespace robust_kbench
