#include "runs/pilots/slurm.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/text_file.hpp"
#include "process/command.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// Programs in place of Slurm's commands, which keep what they are given.
class SlurmTest : public testing::Test {
 protected:
  void SetUp() override {
    m_path = std::getenv("PATH");
    fs::create_directory(m_commands);
    setenv("PATH", (m_commands.string() + ":/usr/bin:/bin").c_str(), 1);
  }
  void TearDown() override { setenv("PATH", m_path.c_str(), 1); }

  void command(const std::string& name, const std::string& script) {
    const fs::path file = m_commands / name;
    std::ofstream(file) << "#!/bin/sh\necho \"$@\" >> " << (m_commands / "asked").string() << "\n"
                        << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  [[nodiscard]] std::string asked() const { return read_text(m_commands / "asked").value_or(""); }

  const TemporaryDirectory m_directory{"slurm"};
  const fs::path m_commands = m_directory.path() / "commands";
  const SlurmPilots m_pilots{.run_directory = m_directory.path(),
                             .pilots = 3,
                             .options = {"--partition=gpu", "--gpus=1", "--time=2:00:00"}};
  std::string m_path;
};

TEST_F(SlurmTest, WritesWhatAUserWouldWrite) {
  const std::string script = slurm_script(m_pilots);
  EXPECT_THAT(script, StartsWith("#!/bin/sh\n#SBATCH "));
  EXPECT_THAT(script, AllOf(HasSubstr("#SBATCH --array=1-3\n"), HasSubstr("#SBATCH --requeue\n"),
                            HasSubstr("#SBATCH --partition=gpu\n#SBATCH --gpus=1\n"
                                      "#SBATCH --time=2:00:00\nexec "),
                            HasSubstr(" pilot --label \"slurm ")));
  const fs::path file = m_directory.path() / "script";
  std::ofstream(file) << script;
  EXPECT_EQ(run_command({"/bin/sh", "-n", file}, std::chrono::seconds{20}).exit_code, 0);
}

TEST_F(SlurmTest, SubmitsFindsAndCancelsAnArray) {
  command("sbatch", "echo '4711;cluster'");
  command("squeue", "echo '4711_[1-3]'");
  command("scancel", "");
  EXPECT_EQ(known_slurm_job(m_directory.path()), std::nullopt);
  EXPECT_EQ(submit_to_slurm(m_pilots), "4711");
  EXPECT_EQ(read_text(m_directory.path() / "slurm.sh"), slurm_script(m_pilots));
  EXPECT_EQ(known_slurm_job(m_directory.path()), "4711");
  EXPECT_EQ(cancel_slurm_job(m_directory.path(), "4711"), "");
  EXPECT_THAT(asked(), AllOf(HasSubstr("--parsable " + m_directory.path().string()),
                             HasSubstr("--jobs=4711"), HasSubstr("\n4711\n")));
  EXPECT_EQ(known_slurm_job(m_directory.path()), std::nullopt);
}

TEST_F(SlurmTest, SaysWhatSlurmSays) {
  command("sbatch", "echo 'sbatch: error: invalid partition specified: gpu' >&2; exit 1");
  try {
    submit_to_slurm(m_pilots);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("invalid partition specified: gpu"),
                                    HasSubstr("change what --sbatch gives it")));
  }
}

TEST_F(SlurmTest, NamesAnotherWayWhereSlurmIsMissing) {
  setenv("PATH", m_commands.c_str(), 1);
  try {
    submit_to_slurm(m_pilots);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("sbatch is not in PATH"));
    EXPECT_THAT(error.what(), HasSubstr("--workers own"));
  }
  EXPECT_THAT(cancel_slurm_job(m_directory.path(), "4711"), HasSubstr("scancel is not in PATH"));
}

TEST_F(SlurmTest, ForgetsAJobThatSlurmHasForgotten) {
  command("sbatch", "echo 4711");
  command("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
  submit_to_slurm(m_pilots);
  EXPECT_EQ(known_slurm_job(m_directory.path()), std::nullopt);
}

}  // namespace
}  // namespace robust_kbench
