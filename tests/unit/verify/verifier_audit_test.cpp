#include "verify/verifier_audit.hpp"

#include "verify/verifier_truth.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

// A kernel that was built and called, with one case of this judgement.
KernelRecord called(const Judgement& judgement) {
  KernelRecord record;
  record.build.judgement = passed();
  record.cases = {{.name = "single/a", .judgement = judgement, .calls = 2}};
  record.judgement = judgement_of(record);
  return record;
}

KernelRecord not_built(Verdict verdict) {
  KernelRecord record;
  record.build.judgement = {.verdict = verdict, .reason = "no ';'"};
  record.judgement = record.build.judgement;
  return record;
}

std::optional<bool> valid(const KernelRecord& record, Verifier verifier) {
  const auto truth = truth_of(record, verifier);
  return truth ? std::optional(truth->valid) : std::nullopt;
}

TEST(VerifierTruth, IsWhatWasSaidOfTheClassAlone) {
  const std::optional<bool> unknown;
  struct Expected {
    KernelRecord record;
    std::optional<bool> compilation, memory, numerics;
  };
  const std::string stderr_tail = "the worker exited with code 1; its stderr ends:\n";
  const std::vector<Expected> all{
      {called(passed()), true, true, true},
      {called(wrong_result("y")), true, unknown, false},
      {called({.verdict = Verdict::nondeterministic}), true, unknown, false},
      {called(cheat(CheatClass::out_of_bounds_write, "y")), true, false, unknown},
      {called(cheat(CheatClass::input_mutation, "x")), true, false, unknown},
      {called(cheat(CheatClass::timing, "")), true, unknown, unknown},
      {called({.verdict = Verdict::unsafe}), true, false, unknown},
      {called({.verdict = Verdict::out_of_memory}), true, false, unknown},
      {called({.verdict = Verdict::crash, .reason = "the worker was killed by SIGSEGV"}), true,
       false, unknown},
      {called({.verdict = Verdict::crash, .reason = "the worker was killed by SIGFPE"}), true,
       unknown, unknown},
      {called({.verdict = Verdict::crash, .reason = stderr_tail + "killed by SIGSEGV"}), true,
       unknown, unknown},
      {called({.verdict = Verdict::timeout}), true, unknown, unknown},
      {called({.verdict = Verdict::exception}), true, unknown, unknown},
      {not_built(Verdict::compile_error), false, unknown, unknown},
      {not_built(Verdict::load_error), false, unknown, unknown},
      {not_built(Verdict::skipped), unknown, unknown, unknown},
      {called({.verdict = Verdict::load_error}), false, unknown, unknown}};
  for (const Expected& expected : all) {
    const std::string what = label(expected.record.judgement) + expected.record.judgement.reason;
    EXPECT_EQ(valid(expected.record, Verifier::compilation), expected.compilation) << what;
    EXPECT_EQ(valid(expected.record, Verifier::memory), expected.memory) << what;
    EXPECT_EQ(valid(expected.record, Verifier::numerics), expected.numerics) << what;
  }
}

TEST(VerifierTruth, TrustsMemcheckOfAKernelThatOnlyErred) {
  KernelRecord record = called(wrong_result("y"));
  record.cases.push_back({.name = "sanitize/memcheck", .judgement = passed()});
  EXPECT_EQ(valid(record, Verifier::memory), true);
  record.cases.back().judgement.reason = "memcheck could not look: no memory";
  EXPECT_EQ(valid(record, Verifier::memory), std::nullopt);
  record.cases.back().judgement = {.verdict = Verdict::unsafe, .reason = "read of size 4"};
  EXPECT_EQ(valid(record, Verifier::memory), false);
  EXPECT_THAT(truth_of(record, Verifier::memory)->found, HasSubstr("read of size 4"));
}

TEST(VerifierTruth, IsTheSameOfARecordThatWasKept) {
  const KernelRecord kept = kernels_of(record_file({not_built(Verdict::compile_error)})).at(0);
  EXPECT_EQ(valid(kept, Verifier::compilation), false);
  EXPECT_EQ(truth_of(kept, Verifier::compilation)->found, "compile_error: no ';'");
}

TEST(VerifierTruth, IsUnknownBeforeAKernelWasCalled) {
  KernelRecord record;
  record.build.judgement = passed();
  record.judgement = passed();
  EXPECT_EQ(valid(record, Verifier::compilation), std::nullopt);
}

TEST(VerifierTruth, KnowsThatATimedKernelWasCalled) {
  KernelRecord record;
  record.build.judgement = passed();
  record.judgement = passed();
  record.timings = {{.config = "small/a"}};
  EXPECT_EQ(valid(record, Verifier::compilation), true);
}

Votes votes(std::optional<bool> memory, std::optional<bool> numerics) {
  const auto vote = [](std::optional<bool> said) {
    return said ? Vote{.verdict = VerifierVerdict{.valid = *said}} : Vote{.abstention = "none"};
  };
  return {{Verifier::memory, vote(memory)}, {Verifier::numerics, vote(numerics)}};
}

TEST(VerifierAudit, HoldsEachVerifierAgainstItsOwnClass) {
  VerifierAudit audit;
  EXPECT_TRUE(audit.empty());
  EXPECT_EQ(audit.text(), "");
  audit.add(votes(true, false), called(wrong_result("y")), 2);  // memory: unknown
  audit.add(votes(false, true), called(cheat(CheatClass::out_of_bounds_write, "y")), 3);
  audit.add(votes(false, true), called(passed()), 5);
  audit.add(votes({}, {}), called(passed()), 7);
  EXPECT_EQ(audit.matrix(Verifier::memory),
            (ConfusionMatrix{.found = 1, .false_alarms = 1, .abstained_right = 1}));
  EXPECT_EQ(audit.matrix(Verifier::numerics),
            (ConfusionMatrix{.found = 1, .let_through = 1, .abstained_right = 1}));
  EXPECT_EQ(audit.matrix(Verifier::compilation), ConfusionMatrix{});
  const nlohmann::json json = audit.json();
  EXPECT_EQ(json["memory"]["saved_seconds"], 8);
  EXPECT_EQ(json["memory"]["hardware_seconds"], 17);
  EXPECT_EQ(json["memory"]["right_kernels"], 2);
  EXPECT_EQ(json["memory"]["right_kernels_lost"], 1);
  EXPECT_EQ(json["numerics"]["saved_seconds"], 2);
  EXPECT_EQ(json["numerics"]["right_kernels_lost"], 0);
  EXPECT_THAT(audit.text(), HasSubstr("saved 8.0 of 17.0 s of evaluations, and lost 1 of 2"));
}

TEST(ConfusionMatrix, SharesAreOfAllKernelsOrOfAlarms) {
  const ConfusionMatrix matrix{.found = 6,
                               .overlooked = 3,
                               .false_alarms = 2,
                               .let_through = 7,
                               .abstained_wrong = 1,
                               .abstained_right = 1};
  EXPECT_EQ(matrix.kernels(), 20);
  EXPECT_EQ(matrix.accuracy(), (Proportion{13, 20}));
  EXPECT_EQ(matrix.precision(), (Proportion{6, 8}));
  EXPECT_EQ(matrix.recall(), (Proportion{6, 10}));
  EXPECT_EQ(matrix.passing(), (Proportion{7, 10}));
  EXPECT_THAT(to_text(matrix), HasSubstr("precision  0.75 (0.41..0.93), 6 of 8 alarms"));
  const nlohmann::json json = to_json_object(matrix);
  EXPECT_EQ(json["accuracy"]["share"], 0.65);
  EXPECT_TRUE(to_json_object(ConfusionMatrix{})["precision"]["share"].is_null());
}

}  // namespace
}  // namespace robust_kbench
