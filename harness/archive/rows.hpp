#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/device.hpp"

#include <nlohmann/json.hpp>

// The rows of an archive's tables. docs/archive.md describes every column.
namespace robust_kbench {

// Stages of a proposal, in order.
enum class ProposalStage {
  proposed,
  parsed,
  compiled,
  tested,
  raced,
  profiled,  // only in older runs
  archived,
};

std::string_view to_string(ProposalStage stage);
ProposalStage parse_proposal_stage(std::string_view name);  // throws UserError

enum class ProposalOutcome {
  open,         // not decided yet; its name is empty
  accepted,     // passed the gate of its run
  kept,         // a right translation that is not the winner of its run
  refused,      // ProposalRow::reason says why
  seed,         // a kernel that the run began with
  specialised,  // accepted, but not certainly faster on unseen configs
};

std::string_view to_string(ProposalOutcome outcome);
ProposalOutcome parse_proposal_outcome(std::string_view name);  // throws UserError

// One proposed kernel, with its last stage and its outcome. Times are in UTC, as timestamp() writes
// them.
struct ProposalRow {
  std::int64_t id = 0;  // in its run, from 1
  std::string run;      // RunRow::id
  int generation = 0;
  int sample = 0;                                 // within the generation
  ProposalStage stage = ProposalStage::proposed;  // the last one reached
  ProposalOutcome outcome = ProposalOutcome::open;
  std::string reason;                 // why it was refused, in words
  std::string reason_class;           // for counting: duplicate, compile_error, slower, ...
  std::vector<std::int64_t> parents;  // ids in the same run; the race was against the first
  std::string proposer;
  std::string strategy;
  // SHA-256 in hexadecimal. The source is content of the archive, the others only identify.
  std::string source_hash, token_hash, object_hash;
  // The proposer's choices beside the text. `tunables` is an object of values by name, `options` a
  // list of compile options.
  nlohmann::json settings = nlohmann::json::object();
  std::map<std::string, double> seconds;           // by kind of evaluation (docs/archive.md)
  std::optional<double> speedup, ci_low, ci_high;  // over its first parent
  std::string device;                              // "cpu" or "cuda"
  std::string gpu;                                 // the driver's name; empty: none
  std::string toolkit;                             // path and version line of the compiler
  std::string record_hash;                         // as put_record() returns it; empty: none
  std::string created_at;

  void refuse(std::string why_class, std::string why);

  friend bool operator==(const ProposalRow&, const ProposalRow&) = default;
};

enum class RunState { running, ended, interrupted };

std::string_view to_string(RunState state);
RunState parse_run_state(std::string_view name);  // throws UserError

// One run of an evolution.
struct RunRow {
  std::string id;  // "layernorm.forward.cpu.3"
  Entry entry;
  Device device = Device::cpu;
  std::uint64_t seed = 0;
  nlohmann::json settings = nlohmann::json::object();
  RunState state = RunState::running;
  std::string stop_reason;
  std::int64_t winner = 0;  // ProposalRow::id; 0: none
  nlohmann::json summary = nlohmann::json::object();
  std::string started_at, ended_at;

  friend bool operator==(const RunRow&, const RunRow&) = default;
};

}  // namespace robust_kbench
