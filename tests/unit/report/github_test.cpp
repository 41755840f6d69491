#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "process/temporary_directory.hpp"
#include "report/github_commands.hpp"
#include "report/github_reporter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// The lines that GitHub's runner takes for commands: after blanks they begin with "::", or they
// have "##[" anywhere. Between stop-commands and its word none is.
std::vector<std::string> commands_of(const std::string& log) {
  std::vector<std::string> commands;
  std::string word;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    const std::string text = begin == std::string::npos ? "" : line.substr(begin);
    if (!word.empty()) {
      if (text == "::" + word + "::") word.clear();
    } else if (text.starts_with("::stop-commands::")) {
      word = text.substr(std::string("::stop-commands::").size());
    } else if (text.starts_with("::") || text.find("##[") != std::string::npos) {
      commands.push_back(text);
    }
  }
  return commands;
}

KernelRecord rejected_kernel(const std::string& name, Verdict verdict, const std::string& reason) {
  KernelRecord record;
  record.name = name;
  record.entry.task = "norm";
  record.path = std::filesystem::current_path() / "kernels" / (name + ".cpp");
  record.judgement = {.verdict = verdict, .reason = reason};
  return record;
}

class Github : public testing::Test {
 protected:
  void SetUp() override {
    setenv("GITHUB_STEP_SUMMARY", m_summary.c_str(), 1);
    unsetenv("GITHUB_WORKSPACE");
  }
  void TearDown() override { unsetenv("GITHUB_STEP_SUMMARY"); }

  std::string report(const std::vector<KernelRecord>& records) {
    std::ostringstream out;
    std::ostringstream err;
    GithubReporter reporter(out, err);
    reporter.begin({.kernels = records.size()});
    for (const KernelRecord& record : records) reporter.finished(record);
    reporter.end(records);
    EXPECT_EQ(commands_of(err.str() + out.str()), commands_of(out.str()));
    return out.str();
  }

  [[nodiscard]] std::string summary() const {
    std::ifstream in(m_summary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  const TemporaryDirectory m_directory{"github"};
  const std::filesystem::path m_summary = m_directory.path() / "summary.md";
};

TEST_F(Github, EscapesWhatWouldEndACommand) {
  EXPECT_EQ(
      workflow_command({.title = "a:b,c%", .file = "k,1.cpp", .message = "50 %\r\n::error::x"}),
      "::error title=a%3Ab%2Cc%25,file=k%2C1.cpp::50 %25%0D%0A::error::x\n");
}

TEST_F(Github, TakesNoTextOfAKernelForACommand) {
  const std::string printed = "::error::forged\n  ::add-mask::x\n##[warning]forged\n";
  KernelRecord record = rejected_kernel("evil", Verdict::crash, "SIGSEGV\n" + printed);
  record.judgement.output = printed;
  EXPECT_THAT(commands_of(report({record})),
              ElementsAre(AllOf(StartsWith("::error title=norm.forward.evil%3A crash,file=kernels/"
                                           "evil.cpp::SIGSEGV%0A::error::forged"),
                                HasSubstr("%0A##[warning]forged"))));
  EXPECT_THAT(summary(), AllOf(HasSubstr("### `norm.forward.evil`: crash"), HasSubstr("::error")));
}

TEST_F(Github, AnnotatesAtMostTenAndTheWorstFirst) {
  std::vector<KernelRecord> records{rejected_kernel("passes", Verdict::pass, ""),
                                    rejected_kernel("skips", Verdict::skipped, "no GPU")};
  EXPECT_THAT(commands_of(report(records)), IsEmpty());
  for (int i = 0; i < 12; ++i) {
    records.push_back(rejected_kernel("k" + std::to_string(i), Verdict::wrong_result, "off"));
  }
  records.push_back(rejected_kernel("last", Verdict::cheat, "late"));
  const std::vector<std::string> commands = commands_of(report(records));
  ASSERT_EQ(commands.size(), most_annotations);
  EXPECT_THAT(commands.front(), HasSubstr("norm.forward.last%3A cheat"));
  EXPECT_THAT(commands.back(), HasSubstr("::4 more are in the step's summary"));
}

TEST_F(Github, WarnsOfAKernelThatIsSlowerThanARival) {
  KernelRecord record = rejected_kernel("edit", Verdict::pass, "");
  record.rivals = {{.name = "base.cpp", .judgement = passed()}};
  record.mean_speedups = {
      {.against = "eager", .ratio = 0.5, .ci_low = 0.4, .ci_high = 0.6, .call = RatioCall::slower},
      {.against = "base.cpp",
       .ratio = 0.8,
       .ci_low = 0.7,
       .ci_high = 0.9,
       .call = RatioCall::slower}};
  EXPECT_THAT(commands_of(report({record})),
              ElementsAre(StartsWith("::warning title=norm.forward.edit%3A slower than base.cpp")));
}

TEST_F(Github, NamesAKernelThatFailsByItsTimeAloneOnceAndAfterRejectedOnes) {
  KernelRecord slow = rejected_kernel("edit", Verdict::pass, "");
  slow.rivals = {{.name = "base.cpp", .judgement = passed()}};
  slow.mean_speedups = {{.against = "base.cpp",
                         .ratio = 0.8,
                         .ci_low = 0.7,
                         .ci_high = 0.9,
                         .call = RatioCall::slower}};
  const KernelRecord crashed = rejected_kernel("other", Verdict::crash, "SIGSEGV");
  std::ostringstream out;
  std::ostringstream err;
  GithubReporter reporter(out, err);
  reporter.begin({.kernels = 2});
  reporter.failed(slow, "--fail-if slower:5: slower than base.cpp\n::error::forged");
  reporter.end({slow, crashed});
  EXPECT_THAT(commands_of(out.str()),
              ElementsAre(StartsWith("::error title=norm.forward.other%3A crash"),
                          AllOf(StartsWith("::error title=norm.forward.edit%3A fails --fail-if,"
                                           "file=kernels/edit.cpp::--fail-if slower:5: slower "),
                                HasSubstr("base.cpp%0A::error::forged"))));
}

TEST_F(Github, CutsASummaryThatIsTooLong) {
  std::ostringstream err;
  add_to_step_summary(std::string(900'000, 'a'), err);
  add_to_step_summary(std::string(900'000, 'b'), err);
  EXPECT_LE(summary().size(), 1U << 20);
  EXPECT_THAT(summary().substr(900'000), AllOf(StartsWith("bbb"), HasSubstr("The rest is cut")));
  EXPECT_THAT(err.str(), IsEmpty());
}

TEST_F(Github, SaysWhyThereIsNoSummary) {
  unsetenv("GITHUB_STEP_SUMMARY");
  std::ostringstream err;
  add_to_step_summary("text", err);
  EXPECT_THAT(err.str(), HasSubstr("GITHUB_STEP_SUMMARY is not set"));
}

}  // namespace
}  // namespace robust_kbench
