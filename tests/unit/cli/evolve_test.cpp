#include <filesystem>

#include "archive/archive.hpp"
#include "evolve/settings.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Evolve : public testing::Test {
 protected:
  // Below CMake no option sets a cap, so no model is asked.
  CommandResult evolve(const std::vector<std::string>& more) const {
    std::vector<std::string> command{CMAKE_PROGRAM, "-E",        "env",    RKB_PROGRAM,
                                     "evolve",      "--device",  "cpu",    "--set",
                                     "minutes=0.1", "--archive", archive()};
    command.insert(command.end(), more.begin(), more.end());
    return run_command(command, std::chrono::minutes{2});
  }
  [[nodiscard]] std::string archive() const { return m_directory.path() / "archive"; }

  const TemporaryDirectory m_directory{"evolve"};
};

TEST_F(Evolve, PlansAllEntriesAndStartsNone) {
  const CommandResult result = evolve({"--all", "--dry-run"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, AllOf(HasSubstr("Evolves mnist_pool.forward on cpu."),
                                   HasSubstr("Evolves mnist_linear.backward on cpu."),
                                   HasSubstr(" entries, one after another, for at most ")));
  EXPECT_FALSE(std::filesystem::exists(archive()));
}

TEST_F(Evolve, ShowsThePromptOfOneEntryAlone) {
  const CommandResult result = evolve({"--all", "--show-prompt"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("give --task and --direction in place of --all"));
  EXPECT_FALSE(std::filesystem::exists(archive()));
}

// Else the rows of this entry would replace those of the other one.
TEST_F(Evolve, GoesOnWithNoRunOfAnotherEntryOrDevice) {
  const auto begun = [&](const Entry& entry, Device device) {
    return Archive(archive(), Archive::Mode::create)
        .begin_run(entry, device, 1, to_json(EvolutionSettings()))
        .id;
  };
  const std::string other = begun({"mnist_linear", Direction::backward}, Device::cpu);
  const CommandResult entry = evolve({"--task", "mnist_pool", "--unsafe", "--resume", other});
  EXPECT_EQ(entry.exit_code, 2);
  EXPECT_THAT(entry.output,
              AllOf(HasSubstr("run " + other + " is of mnist_linear.backward on cpu"),
                    HasSubstr("give --task mnist_linear --direction backward --device cpu")));
  const std::string cuda = begun({"mnist_pool", Direction::forward}, Device::cuda);
  const CommandResult device = evolve({"--task", "mnist_pool", "--unsafe", "--resume", cuda});
  EXPECT_EQ(device.exit_code, 2);
  EXPECT_THAT(device.output, HasSubstr("give --task mnist_pool --direction forward --device cuda"));
  for (const std::string& run : {other, cuda}) {
    EXPECT_TRUE(Archive(archive(), Archive::Mode::read_only).proposals(run).empty());
  }
}

}  // namespace
}  // namespace robust_kbench
