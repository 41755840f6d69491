#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/sha256.hpp"
#include "process/temporary_directory.hpp"
#include "propose/command_proposer.hpp"
#include "propose/manual_proposer.hpp"
#include "propose/submitted_proposer.hpp"
#include "propose/transform_proposer.hpp"
#include "propose/tune_proposer.hpp"
#include "proposed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

Candidate candidate_with(const std::string& text) {
  return {.id = 1, .text = text, .hash = sha256(text)};
}

class ProposersTest : public testing::Test {
 protected:
  TemporaryDirectory m_directory{"proposers_test"};
  Archive m_archive{m_directory.path() / "archive", Archive::Mode::create};  // which locks it
  std::string m_run = m_archive.begin_run({"adding", Direction::forward}, Device::cpu, 1, {}).id;
  Journal m_journal{m_archive, m_run};
  Candidate m_parent = candidate_with("int threads = 1;");
  ProposalRequest m_request{.parent = m_parent, .context = {}, .id = 2};

  CommandProposer command(const std::string& script, std::vector<std::string> environment = {}) {
    return {{.command = {"/bin/sh", "-c", script},
             .timeout = std::chrono::hours(1),  // nobody waits for so long
             .environment = std::move(environment)},
            [](const ProposalRequest&) { return "the prompt"; },
            m_journal};
  }
};

TEST_F(ProposersTest, ACommandReadsThePromptAndItsBlockIsTheKernel) {
  CommandProposer proposer = command("echo An idea; echo '```cpp'; cat; echo; echo '```'");
  const Proposal proposal = *proposed(proposer, m_request);
  EXPECT_EQ(proposal.text, "the prompt\n");
  EXPECT_EQ(proposal.strategy, "An idea");
}

// A strategy has at most 100 bytes, and é would end with the 101st. The journal holds UTF-8 alone.
TEST_F(ProposersTest, ACommandsTextBecomesUtf8AndIsCutBetweenCharacters) {
  const std::string letters(99, 'a');
  CommandProposer proposer = command("printf '// " + letters + "é\\n\\351\\n'; printf '\\351' >&2");
  const Proposal proposal = *proposed(proposer, m_request);
  EXPECT_EQ(proposal.strategy, letters);
  EXPECT_EQ(proposal.text, "// " + letters + "é\n\uFFFD\n");
  EXPECT_EQ(proposal.settings["messages"], "\uFFFD");
}

TEST_F(ProposersTest, ACommandThatSaysNoStrategyIsNamed) {
  CommandProposer proposer = command("printf '#include <cmath>\\n'");
  const Proposal proposal = *proposed(proposer, m_request);
  EXPECT_EQ(proposal.strategy, "by sh");
  EXPECT_EQ(proposal.text, "#include <cmath>\n");
}

TEST_F(ProposersTest, ACommandSeesTheNamedVariablesAlone) {
  setenv("RKB_TEST_SHOWN", "shown", 1);
  setenv("RKB_TEST_SECRET", "secret", 1);
  CommandProposer proposer = command("/usr/bin/env", {"RKB_TEST_SHOWN"});
  const std::string text = proposed(proposer, m_request)->text;
  EXPECT_THAT(text, testing::HasSubstr("RKB_TEST_SHOWN=shown"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("secret")));
}

// "cGxhbnRlZC1rZXktMDEyMw" is the key in base64.
TEST_F(ProposersTest, ACommandTellsNobodyTheKeyThatItGot) {
  setenv("RKB_TEST_API_KEY", "planted-key-0123", 1);
  CommandProposer proposer = command(
      "echo \"// with $RKB_TEST_API_KEY\"; echo 'cGxhbnRlZC1rZXktMDEyMw== /tmp/a';"
      "echo \"401 for $RKB_TEST_API_KEY\" >&2",
      {"RKB_TEST_API_KEY"});
  const Proposal proposal = *proposed(proposer, m_request);
  unsetenv("RKB_TEST_API_KEY");
  EXPECT_EQ(proposal.text, "// with [key]\n[key] /tmp/a\n");
  EXPECT_EQ(proposal.strategy, "with [key]");
  EXPECT_EQ(proposal.settings["messages"], "401 for [key]\n");
}

TEST_F(ProposersTest, ACommandIsAskedOnceForEachProposal) {
  CommandProposer proposer = command("echo $$");
  const std::string first = proposed(proposer, m_request)->text;
  EXPECT_EQ(proposed(proposer, m_request)->text, first);
}

TEST_F(ProposersTest, ACommandThatFailsIsNamedAndSoonNotAsked) {
  CommandProposer proposer = command("echo no such model >&2; exit 7");
  std::string reason;
  while (const std::optional<Proposal> proposal = proposed(proposer, m_request)) {
    EXPECT_EQ(proposal->text, "");
    reason = proposal->refused;
    proposer.learn({.text = proposal->text, .id = m_request.id++, .failure = {"", reason}});
  }
  EXPECT_EQ(reason, "/bin/sh ended with exit code 7 and wrote no source: no such model");
  EXPECT_EQ(m_request.id, 2 + 8);
  EXPECT_THAT(proposer.silence().reason, testing::HasSubstr("8 answers of /bin/sh in a row"));
}

// Nobody ever writes to the pipe.
TEST_F(ProposersTest, ACommandLeavesNothingThatIsWaitedFor) {
  CommandProposer proposer = command("rm answer.md; mkfifo answer.md");
  EXPECT_THAT(proposed(proposer, m_request)->refused, testing::HasSubstr("wrote no source"));
}

TEST_F(ProposersTest, ACommandEndsWithItsRun) {
  std::stop_source stop;
  CommandProposer proposer(
      {.command = {"/bin/sleep", "infinity"}, .timeout = std::chrono::hours(1)},
      [](const ProposalRequest&) { return ""; }, m_journal, stop.get_token());
  const Proposer::Job job = *proposer.begin(m_request);
  stop.request_stop();
  EXPECT_THROW((void)job(), Cancelled);
}

// A person who did not answer has answered nothing, so a run that goes on asks again.
TEST_F(ProposersTest, APersonWhoGivesUpIsAskedAgain) {
  const auto asked = [this](bool gives_up) {
    ManualProposer proposer(
        m_directory.path(), ".cpp", [](const ProposalRequest&) { return ""; },
        [gives_up] { return gives_up; }, m_journal);
    return proposed(proposer, m_request);
  };
  EXPECT_THROW((void)asked(true), Cancelled);
  OutputFile(m_directory.path() / "answers" / "2.cpp").write(std::string("a kernel"));
  EXPECT_EQ(asked(false)->text, "a kernel");
}

TEST_F(ProposersTest, NoKernelOfAnotherKindIsSubmitted) {
  const std::filesystem::path source = m_directory.path() / "mine.cpp";
  OutputFile(source).write(std::string(""));
  EXPECT_THROW(submit_to_run(m_directory.path(), source, Device::cpu), UserError);
  SubmittedProposer proposer(m_directory.path(), m_journal);
  EXPECT_FALSE(proposed(proposer, m_request));
}

TEST_F(ProposersTest, SubmittedKernelsComeOldestFirstAndOnce) {
  const std::filesystem::path run = m_directory.path() / "runs" / m_run;
  const std::filesystem::path source = m_directory.path() / "mine.cpp";
  const auto submit = [&](const char* text, const char* at) {
    OutputFile(source).write(std::string(text));
    submit_to_run(run, source, Device::cpu, at);
  };
  submit("second", "2026-11-25T13:02:00.124Z");
  submit("first", "2026-11-25T13:02:00.123Z");
  SubmittedProposer proposer(run, m_journal);
  const std::optional<Proposal> first = proposed(proposer, m_request);
  EXPECT_EQ(first->text, "first");
  EXPECT_EQ(first->strategy, "submitted mine.cpp");
  m_request.id = 3;
  EXPECT_EQ(proposed(proposer, m_request)->text, "second");
  m_request.id = 4;
  EXPECT_FALSE(proposed(proposer, m_request));
}

TEST_F(ProposersTest, TuningAsksForOtherValuesAndLearnsTheBest) {
  m_parent = candidate_with("constexpr int threads = 64;  // tune: 64, 128, 256\n");
  TuneProposer proposer(1, 60, {});
  std::set<std::string> texts;
  while (const std::optional<Proposal> proposal = proposed(proposer, m_request)) {
    texts.insert(proposal->text);
    EXPECT_THAT(proposal->strategy, testing::StartsWith("threads = "));
    proposer.learn({.text = proposal->text, .speedup = 1.1});
  }
  EXPECT_THAT(texts, testing::ElementsAre("constexpr int threads = 128;  // tune: 64, 128, 256\n",
                                          "constexpr int threads = 256;  // tune: 64, 128, 256\n"));
}

TEST_F(ProposersTest, TuningObeysFactsOfTheDeviceAndTheFileBesideTheStart) {
  m_parent = candidate_with("constexpr int threads = 64;\n");
  m_parent.declarations = {{{"threads", {"64", "128", "256"}}}, {"threads <= 64 * cpu_cores"}};
  TuneProposer proposer(1, 60, {{"cpu_cores", 2}});
  EXPECT_EQ(proposed(proposer, m_request)->text, "constexpr int threads = 128;\n");
  EXPECT_FALSE(proposed(proposer, m_request));
}

TEST_F(ProposersTest, TuningTriesEverySettingThatIsAllowedWhereTheParentsIsNot) {
  m_parent =
      candidate_with("constexpr int n = 1;  // tune: 1, 2, 3\n// restriction: n >= cpu_cores\n");
  TuneProposer proposer(1, 60, {{"cpu_cores", 2}});
  EXPECT_TRUE(proposed(proposer, m_request));
  EXPECT_TRUE(proposed(proposer, m_request));
  EXPECT_FALSE(proposed(proposer, m_request));
}

TEST_F(ProposersTest, TuningGoesOnWithoutAFileWhoseConstantsAreGone) {
  m_parent = candidate_with("constexpr int n = 1;  // tune: 1, 2\n");
  m_parent.declarations = {{{"threads", {"64", "128"}}}, {}};
  TuneProposer proposer(1, 60, {});
  EXPECT_THAT(proposed(proposer, m_request)->text, testing::StartsWith("constexpr int n = 2;"));
}

TEST_F(ProposersTest, CopiesProposeWhatTheProposerWillAfterARefusal) {
  m_parent = candidate_with(
      "constexpr int threads = 64;  // tune: 32, 64, 128, 256\n"
      "float sum(const float* x, int n) {\n"
      "  float s = 0;\n"
      "  for (int i = 0; i < n; ++i) s += x[i];\n"
      "  return s;\n"
      "}\n");
  m_parent.kernel.sources = {"k.cpp"};
  std::vector<std::unique_ptr<Proposer>> proposers;
  proposers.push_back(std::make_unique<TuneProposer>(1, 60, std::map<std::string, long long>{}));
  proposers.push_back(std::make_unique<TransformProposer>(false));
  for (const auto& proposer : proposers) {
    const std::string first = proposed(*proposer, m_request)->text;
    const std::unique_ptr<Proposer> later = proposer->copy();
    later->learn({.text = first});
    const std::string foreseen = proposed(*later, m_request)->text;
    EXPECT_NE(foreseen, first);
    proposer->learn({.text = first});
    EXPECT_EQ(proposed(*proposer, m_request)->text, foreseen) << proposer->facts().name;
  }
}

TEST_F(ProposersTest, TuningKnowsNothingForASourceWithoutTunables) {
  TuneProposer proposer(1, 60, {});
  EXPECT_FALSE(proposed(proposer, m_request));
}

}  // namespace
}  // namespace robust_kbench
