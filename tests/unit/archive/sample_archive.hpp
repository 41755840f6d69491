#pragma once

#include <string>

#include "archive/archive.hpp"
#include "archive/stored_record.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

inline constexpr const char* sample_run = "layernorm.forward.cpu.1";

inline KernelRecord sample_record(Verdict verdict, double kernel_us) {
  KernelRecord record;
  record.path = "/k/candidate.cpp";
  record.name = "candidate";
  record.entry = {"layernorm", Direction::forward};
  record.judgement = {.verdict = verdict};
  CaseRecord test;
  test.name = "small/seed_1";
  test.judgement = record.judgement;
  test.errors = {{.name = "y", .max_abs = 0.25}, {.name = "z", .max_abs = 0.5}};
  record.cases = {test};
  // Two configs whose geometric mean is the time.
  for (const double factor : {0.5, 2.0}) {
    ConfigTimingRecord config;
    config.config = "small/" + std::to_string(factor);
    config.subjects = {{.subject = "kernel", .median_us = kernel_us * factor}};
    record.timings.push_back(config);
  }
  record.mean_speedups = {{.against = "eager", .ratio = 2.5, .ci_low = 2, .ci_high = 3}};
  return record;
}

// The record of a seed, which raced beside eager mode on the same configs.
inline KernelRecord sample_seed_record(double kernel_us, double eager_us) {
  KernelRecord record = sample_record(Verdict::pass, kernel_us);
  for (ConfigTimingRecord& config : record.timings) {
    const double factor = config.subjects.front().median_us / kernel_us;
    config.subjects.push_back({.subject = "eager", .median_us = eager_us * factor});
  }
  return record;
}

// A run with a seed (1), two accepted proposals (2 and 6, its child), and refused ones: wrong (3),
// not compiled (4), a duplicate (5).
inline RunRow fill_sample(Archive& archive) {
  RunRow run = archive.begin_run({"layernorm", Direction::forward}, Device::cpu, 7,
                                 nlohmann::json::object());
  const auto save = [&](ProposalRow row, const std::string& source) {
    row.run = run.id;
    row.device = "cpu";
    row.source_hash = archive.put_content(source);
    archive.save(row);
  };
  const auto record = [&](Verdict verdict, double us) {
    return put_record(archive, sample_record(verdict, us));
  };
  const nlohmann::json tuned{{"tunables", {{"threads", 128}}}};
  save({.id = 1,
        .stage = ProposalStage::archived,
        .outcome = ProposalOutcome::seed,
        .proposer = "seed",
        .strategy = "plain",
        .record_hash = put_record(archive, sample_seed_record(30, 50))},
       "a\nb\nc\n");
  save({.id = 2,
        .generation = 1,
        .stage = ProposalStage::archived,
        .outcome = ProposalOutcome::accepted,
        .parents = {1},
        .proposer = "tune",
        .strategy = "threads",
        .settings = tuned,
        .seconds = {{"compile", 0.5}, {"screen", 1}, {"test", 2}, {"race", 4}, {"profile", 8}},
        .speedup = 1.5,
        .ci_low = 1.4,
        .ci_high = 1.6,
        .record_hash = record(Verdict::pass, 20)},
       "a\nx\nc\n");
  save({.id = 3,
        .generation = 1,
        .sample = 1,
        .stage = ProposalStage::tested,
        .outcome = ProposalOutcome::refused,
        .reason = "Output 'y' is not close, \"said\" the check",
        .reason_class = "wrong_result",
        .parents = {2},
        .proposer = "tune",
        .settings = tuned,
        .record_hash = record(Verdict::wrong_result, 20)},
       "a\ny\nc\n");
  save({.id = 4,
        .stage = ProposalStage::parsed,
        .outcome = ProposalOutcome::refused,
        .reason = "error: \x1b[31mno\nsecond line",
        .reason_class = "compile_error",
        .parents = {2},
        .proposer = "transform",
        .settings = tuned},
       "broken\n");
  save({.id = 5,
        .stage = ProposalStage::parsed,
        .outcome = ProposalOutcome::refused,
        .reason_class = "duplicate",
        .parents = {2},
        .proposer = "tune",
        .settings = tuned},
       "a\nx\nc\n");
  save({.id = 6,
        .generation = 2,
        .stage = ProposalStage::archived,
        .outcome = ProposalOutcome::accepted,
        .parents = {2, 1},
        .proposer = "transform",
        .speedup = 2,
        .record_hash = record(Verdict::pass, 12)},
       "a\nz\nc\n");
  run.state = RunState::ended;
  run.stop_reason = "plateau";
  run.winner = 6;
  archive.update_run(run);
  return run;
}

}  // namespace robust_kbench
