#include "scripted_backend.hpp"

#include <cstdlib>

#include "core/sha256.hpp"
#include "core/speedup.hpp"

namespace robust_kbench {
namespace {

bool says(const Candidate& candidate, const std::string& words) {
  return candidate.text.find(words) != std::string::npos;
}

double time_of(const Candidate& candidate, EvaluationKind kind) {
  std::string word = "takes ";
  if (kind == EvaluationKind::unseen && says(candidate, "unseen ")) word = "unseen ";
  if (kind == EvaluationKind::confirm && says(candidate, "confirmed ")) word = "confirmed ";
  if (kind == EvaluationKind::race && says(candidate, "raced ")) word = "raced ";
  return std::strtod(candidate.text.c_str() + candidate.text.find(word) + word.size(), nullptr);
}

TimingRecord timing(const std::string& subject, double us) {
  TimingRecord record{.subject = subject,
                      .median_us = us,
                      .ci_low_us = 0.99 * us,
                      .ci_high_us = 1.01 * us,
                      .workers = 5,
                      .samples = 40};
  for (int worker = 0; worker < 5; ++worker) {
    std::vector<double>& samples = record.samples_us.emplace_back();
    for (int i = 0; i < 8; ++i)
      samples.push_back(us * (1 + 0.001 * ((3 * worker + 5 * i) % 7 - 3)));
  }
  return record;
}

}  // namespace

Evaluation ScriptedBackend::evaluate(EvaluationKind kind, const Candidate& candidate,
                                     const std::map<std::string, const Candidate*>& rivals) {
  const int call = calls++;
  if (before_call) before_call(call);
  if (kind == EvaluationKind::screen && says(candidate, "takes forever")) {
    forever();
  } else if (before) {
    before(kind);
  }
  Evaluation evaluation;
  KernelRecord& record = evaluation.record;
  record = {.name = candidate.name, .entry = candidate.kernel.entry};
  record.build.judgement = passed();
  record.judgement = passed();
  evaluation.seconds[to_string(kind)] = 1;
  if (kind == EvaluationKind::compile) {
    evaluation.object_hash = sha256("object of " + candidate.text);
    if (says(candidate, "does not compile")) {
      record.judgement = {.verdict = Verdict::compile_error, .reason = "line 1"};
      record.build.judgement = record.judgement;
    }
    return evaluation;
  }
  if (kind == EvaluationKind::profile) {
    record.profile = ProfileRecord{.advice = {{.rule = "occupancy", .text = candidate.text}}};
    return evaluation;
  }
  if (kind == EvaluationKind::memcheck) {
    CaseRecord& looked = record.cases.emplace_back();
    looked = {.name = "sanitize/memcheck", .judgement = passed()};
    if (says(candidate, "reads outside")) {
      looked.judgement = {.verdict = Verdict::unsafe, .reason = "invalid_global_read"};
    }
    record.judgement = looked.judgement;
    return evaluation;
  }
  const bool all_cases = kind == EvaluationKind::test || kind == EvaluationKind::confirm;
  const bool is_wrong = says(candidate, "is wrong later") ? all_cases : says(candidate, "is wrong");
  if (is_wrong || (kind == EvaluationKind::confirm && says(candidate, "confirmed wrong"))) {
    record.judgement = wrong_result("not close");
    return evaluation;
  }
  if (kind == EvaluationKind::test) return evaluation;
  if (kind == EvaluationKind::confirm && says(candidate, "cannot be replayed")) {
    record.judgement = {.verdict = Verdict::skipped, .reason = "it cannot be replayed: why"};
    return evaluation;
  }
  const bool unseen = kind == EvaluationKind::unseen;
  ConfigTimingRecord& config = record.timings.emplace_back();
  config.config = unseen ? "drawn_1" : "small/n_5";
  config.subjects.push_back(timing("kernel", time_of(candidate, kind)));
  const auto compare = [&](const std::string& name, double us) {
    config.subjects.push_back(timing(name, us));
    config.speedups.push_back(speedup(config.subjects.front(), config.subjects.back(), 0.02));
  };
  for (const auto& [name, rival] : rivals) compare(name, time_of(*rival, kind));
  if (kind == EvaluationKind::starts || kind == EvaluationKind::confirm) {
    compare("eager", 200);
    if (empty_us > 0) compare("empty", empty_us);
  }
  if (estimates && kind == EvaluationKind::confirm) {
    for (const TimingRecord& subject : config.subjects) {
      config.estimates.push_back({.subject = subject.subject,
                                  .estimator = "events",
                                  .time_us = 2 * subject.median_us,
                                  .calls = 2000,
                                  .note = {}});
    }
  }
  record.mean_speedups = mean_speedups(record.timings, 0.02);
  return evaluation;
}

}  // namespace robust_kbench
