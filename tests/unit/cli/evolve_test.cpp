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
    std::vector<std::string> command{CMAKE_PROGRAM, "-E",        "env",    RKB_AGENT_PROGRAM,
                                     "evolve",      "--device",  "cpu",    "--set",
                                     "minutes=0.1", "--archive", archive()};
    command.insert(command.end(), more.begin(), more.end());
    return run_command(command, std::chrono::minutes{2});
  }
  // The settings that it asks for.
  static EvolutionSettings same_minutes() {
    EvolutionSettings settings;
    settings.minutes = 0.1;
    return settings;
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

TEST_F(Evolve, RefusesOptionsForOneEntryWithAll) {
  const CommandResult resumed = evolve({"--all", "--resume", "mnist_pool.forward.cpu.1"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_THAT(resumed.output, HasSubstr("--resume is for one entry, and --all means all of them"));
  const CommandResult task = evolve({"--all", "--task", "mnist_pool"});
  EXPECT_THAT(task.output, HasSubstr("--task is for one entry, and --all means all of them"));
  EXPECT_FALSE(std::filesystem::exists(archive()));
}

TEST_F(Evolve, ShowsThePromptOfOneEntryAlone) {
  const CommandResult result = evolve({"--all", "--show-prompt"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("--show-prompt is for one entry, and --all means all"));
  EXPECT_FALSE(std::filesystem::exists(archive()));
}

// Else earlier proposals would be told apart by a kernel that they never met.
TEST_F(Evolve, GoesOnFromTheKernelsThatItsRunBeganWith) {
  std::string run;
  {
    Archive kept(archive(), Archive::Mode::create);
    run =
        kept.begin_run({"mnist_pool", Direction::forward}, Device::cpu, 1, to_json(same_minutes()))
            .id;
    kept.record_effect(run, "seeds_identity", {{"row_pairs", "another"}, {"plain", "another"}});
  }
  const CommandResult result = evolve({"--task", "mnist_pool", "--resume", run});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("is not as it was when run " + run + " began"));
  EXPECT_TRUE(Archive(archive(), Archive::Mode::read_only).proposals(run).empty());
}

TEST_F(Evolve, ChecksItsNeedsBeforeARunBegins) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> faults{
      {{"--prior", "nobody.forward.cpu.1"}, "nobody.forward.cpu.1"},
      {{"--set", "proposers=command"}, "the proposer 'command' has no program"},
      {{"--set", "proposers=command", "--set", "command=[\"./mine.sh\"]"},
       "give its absolute path"},
      {{"--set", "proposers=command", "--set", "command=[\"/missing/agent\"]"}, "cannot be run"},
      {{"--set", "proposers=[]"}, "give at least one"},
      {{"--settings", "/tmp"}, "--settings /tmp cannot be read"}};
  for (const auto& [arguments, message] : faults) {
    std::vector<std::string> all{"--task", "mnist_pool"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CommandResult result = evolve(all);
    EXPECT_EQ(result.exit_code, 2) << result.output;
    EXPECT_THAT(result.output, HasSubstr(message));
    if (!std::filesystem::exists(archive())) continue;
    EXPECT_TRUE(Archive(archive(), Archive::Mode::read_only).runs().empty()) << message;
  }
}

// A settings file may come from others, and so does a command line below a build tool, as here.
TEST_F(Evolve, GivesNoKeyToAProgramThatOthersName) {
  const CommandResult result =
      evolve({"--task", "mnist_pool", "--set", "proposers=command", "--set",
              "command=[\"/bin/true\"]", "--set", "command_environment=[\"OPENAI_API_KEY\"]"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("OPENAI_API_KEY to a program, which holds a key of yours"));
}

TEST_F(Evolve, KeepsTheSettingsOfARunThatGoesOn) {
  const std::string run =
      Archive(archive(), Archive::Mode::create)
          .begin_run({"mnist_pool", Direction::forward}, Device::cpu, 1, to_json(same_minutes()))
          .id;
  const CommandResult other = evolve({"--task", "mnist_pool", "--resume", run, "--set", "seed=7"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.output, HasSubstr("run " + run +
                                      " has seed=1, and a run keeps its settings; "
                                      "leave out what asks for seed=7, or begin another run"));
  const CommandResult preset =
      evolve({"--task", "mnist_pool", "--resume", run, "--preset", "paper"});
  EXPECT_EQ(preset.exit_code, 2);
  EXPECT_THAT(preset.output, HasSubstr("--preset is for a new run"));
  EXPECT_TRUE(Archive(archive(), Archive::Mode::read_only).proposals(run).empty());
}

TEST_F(Evolve, KnowsTheEntryOfARunThatGoesOn) {
  const std::string run =
      Archive(archive(), Archive::Mode::create)
          .begin_run({"mnist_linear", Direction::backward}, Device::cpu, 1, to_json(same_minutes()))
          .id;
  // It comes as far as the settings.
  const CommandResult result = evolve({"--resume", run, "--set", "seed=7"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.output, HasSubstr("run " + run + " has seed=1, and a run keeps its settings"));
  const CommandResult unknown = evolve({"--resume", "nobody.forward.cpu.1"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.output, HasSubstr("nobody.forward.cpu.1"));
}

// Else the rows of this entry would replace those of the other one.
TEST_F(Evolve, GoesOnWithNoRunOfAnotherEntryOrDevice) {
  const auto begun = [&](const Entry& entry, Device device) {
    return Archive(archive(), Archive::Mode::create)
        .begin_run(entry, device, 1, to_json(same_minutes()))
        .id;
  };
  const std::string other = begun({"mnist_linear", Direction::backward}, Device::cpu);
  const CommandResult entry = evolve({"--task", "mnist_pool", "--unsafe", "--resume", other});
  EXPECT_EQ(entry.exit_code, 2);
  EXPECT_THAT(
      entry.output,
      AllOf(HasSubstr("run " + other + " is of mnist_linear.backward on cpu"),
            HasSubstr("rkb evolve --task mnist_linear --direction backward --device cpu --resume " +
                      other)));
  const std::string cuda = begun({"mnist_pool", Direction::forward}, Device::cuda);
  const CommandResult device = evolve({"--unsafe", "--resume", cuda});
  EXPECT_EQ(device.exit_code, 2);
  EXPECT_THAT(device.output,
              HasSubstr("--task mnist_pool --direction forward --device cuda --resume " + cuda));
  for (const std::string& run : {other, cuda}) {
    EXPECT_TRUE(Archive(archive(), Archive::Mode::read_only).proposals(run).empty());
  }
}

}  // namespace
}  // namespace robust_kbench
