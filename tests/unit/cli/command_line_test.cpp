#include "command/command_line.hpp"

#include <array>

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::optional<int> goes_on = std::nullopt;

// A program with one command, `time`, and what was parsed.
class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() {
    m_command.add_option("--task", m_task).one_of({"linear", "norm"});
    const Option seconds = m_command.add_option("--seconds", m_seconds).between(1, 3600);
    m_command.add_option("--jobs", m_jobs).between(1, 8).needs(seconds);
    m_command.add_option("-I,--include", m_directories);
    m_command.add_option("--gpus", m_gpus).delimiter(',').between(0, 7);
    m_command.add_flag("--quick", m_quick).excludes(seconds);
    m_command.add_option("FILE", m_files);
    m_command.when_given([this] { m_given = true; });
  }

  std::optional<int> parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), {"program", "time"});
    testing::internal::CaptureStderr();
    const auto exit_code =
        m_command_line.parse(static_cast<int>(arguments.size()), arguments.data());
    m_complaint = testing::internal::GetCapturedStderr();
    return exit_code;
  }

  CommandLine m_command_line{"program", "Times things"};
  CommandLine m_command = m_command_line.add_command("time", "Times files");
  std::string m_task, m_complaint;
  double m_seconds = 2;
  int m_jobs = 0;
  bool m_quick = false;
  bool m_given = false;
  std::vector<std::string> m_directories, m_files;
  std::vector<int> m_gpus;
};

TEST_F(CommandLineTest, SetsTheVariablesOfTheCommandThatIsGiven) {
  EXPECT_EQ(parse({"--task", "norm", "--seconds", "1.5", "--jobs", "8"}), goes_on);
  EXPECT_TRUE(m_given);
  EXPECT_EQ(m_task, "norm");
  EXPECT_EQ(m_seconds, 1.5);
  EXPECT_EQ(m_jobs, 8);
}

TEST_F(CommandLineTest, TakesOneValueEachTimeAnOptionIsGiven) {
  EXPECT_EQ(parse({"-I", "a", "--include", "b", "kernel.cpp", "--quick", "other.cpp"}), goes_on);
  EXPECT_THAT(m_directories, ElementsAre("a", "b"));
  EXPECT_THAT(m_files, ElementsAre("kernel.cpp", "other.cpp"));
  EXPECT_TRUE(m_quick);
}

TEST_F(CommandLineTest, SplitsValuesAtADelimiter) {
  EXPECT_EQ(parse({"--gpus", "0,3", "kernel.cpp"}), goes_on);
  EXPECT_THAT(m_gpus, ElementsAre(0, 3));
  EXPECT_THAT(m_files, ElementsAre("kernel.cpp"));
}

TEST_F(CommandLineTest, RefusesValuesOutsideOfTheirRange) {
  for (const char* value : {"0.5", "3601", "nan", "inf", "1x"}) {
    EXPECT_EQ(parse({"--seconds", value}), ExitCode::usage) << value;
    EXPECT_THAT(m_complaint, HasSubstr(std::string(value) + " is no number in [1 - 3600]"));
  }
  EXPECT_EQ(parse({"--gpus", "0,8"}), ExitCode::usage);
  EXPECT_EQ(parse({"--task", "conv"}), ExitCode::usage);
  EXPECT_THAT(m_complaint, HasSubstr("conv"));
}

TEST_F(CommandLineTest, RefusesOptionsThatDoNotGoTogether) {
  EXPECT_EQ(parse({"--jobs", "2"}), ExitCode::usage);
  EXPECT_EQ(parse({"--quick", "--seconds", "3"}), ExitCode::usage);
  EXPECT_EQ(parse({"--zzzzzz"}), ExitCode::usage);
}

TEST_F(CommandLineTest, NamesTheWordThatIsMostLikeAnUnknownOne) {
  EXPECT_EQ(parse({"--tsak", "norm"}), ExitCode::usage);
  EXPECT_EQ(m_complaint,
            "program: '--tsak' is unknown; did you mean '--task'? `program time --help` "
            "lists what there is\n");
  EXPECT_EQ(parse({"--zzzzzz=1"}), ExitCode::usage);
  EXPECT_THAT(m_complaint, HasSubstr("'--zzzzzz' is unknown; `program time --help`"));
  const std::array arguments{"program", "tiem", "--task", "norm"};
  testing::internal::CaptureStderr();
  EXPECT_EQ(m_command_line.parse(4, arguments.data()), ExitCode::usage);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("'tiem' is unknown; did you mean 'time'? `program --help`"));
}

TEST_F(CommandLineTest, ShowsTheHelpOfACommandByItsName) {
  EXPECT_THAT(m_command_line.help({"time"}),
              testing::AllOf(HasSubstr("Usage: program time"), HasSubstr("--seconds")));
  EXPECT_THAT(m_command_line.help({}), HasSubstr("Usage: program [OPTIONS]"));
  EXPECT_THROW((void)m_command_line.help({"tiem"}), UserError);
}

TEST_F(CommandLineTest, HelpEndsTheProgramAndNamesWhatIsNotHidden) {
  m_command_line.add_command("secret", "").hide();
  testing::internal::CaptureStdout();
  EXPECT_EQ(m_command_line.parse(2, std::array{"program", "--help"}.data()), ExitCode::pass);
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_THAT(help, HasSubstr("time"));
  EXPECT_THAT(help, testing::Not(HasSubstr("secret")));
  EXPECT_FALSE(m_given);
}

TEST(CommandLine, RefusesACommandWithoutARequiredOption) {
  CommandLine command_line("program", "");
  std::string task;
  command_line.add_option("--task", task).required();
  EXPECT_EQ(command_line.parse(1, std::array{"program"}.data()), ExitCode::usage);
}

TEST(CommandLine, ReturnsUnknownWords) {
  CommandLine command_line("program", "");
  std::string task;
  command_line.add_option("--task", task);
  std::vector<std::string> unknown;
  const std::array arguments{"program", "--filter=x", "--task", "norm"};
  EXPECT_EQ(command_line.parse(4, arguments.data(), unknown), goes_on);
  EXPECT_EQ(task, "norm");
  EXPECT_THAT(unknown, ElementsAre("--filter=x"));
}

}  // namespace
}  // namespace robust_kbench
