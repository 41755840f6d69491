#include "evaluate/test_stage.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "check/examiner.hpp"
#include "check/stop_rule.hpp"
#include "core/cancelled.hpp"
#include "evaluate/examine_options.hpp"
#include "evaluate/left_out.hpp"
#include "evaluate/probe_cases.hpp"
#include "evaluate/scope.hpp"
#include "evaluate/synchronisation_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

bool is_probe(const Case& c) {
  return c.probe.has_value();
}

// A note for a pass, empty where nothing was left out.
std::string left_out(const SubmissionState& state) {
  const SharedState& shared = state.shared;
  std::vector<std::string> notes;
  if (std::any_of(state.cases.begin(), state.cases.end(), is_probe)) {
    notes = probe_cases(shared.manifest, shared.task, shared.entry.direction, shared.device,
                        state.scope.nonce)
                .left_out;
  }
  if (state.cut_short) notes.push_back(state.record.timing_note);
  return fmt::format("{}", fmt::join(notes, "\n"));
}

// The limit that is left for the sequence. nullopt where no case was slow.
std::optional<SlowCallLimit> left_of(SlowCallLimit limit, const std::vector<CaseRecord>& called) {
  double cost = 0;
  for (const CaseRecord& record : called) cost += limit.cost(record);
  limit.seconds -= cost;
  return cost > 0 ? std::optional(limit) : std::nullopt;
}

// Null where the kernel has failed already, or where the tool is missing.
std::unique_ptr<SynchronisationCheck> start_synchronisation_check(const SubmissionState& state) {
  SharedState& shared = state.shared;
  if (!state.request.synchronisation_check || !shared.on_gpu()) return nullptr;
  if (!judgement_of(state.record).passes()) return nullptr;
  const SanitizingTools& tools = shared.sanitizing_tools();
  if (tools.compute_sanitizer.empty()) return nullptr;
  const auto configs = [&](ConfigSet set) {
    return any_configs_of(shared.manifest, shared.task, shared.entry.direction, {set});
  };
  std::vector<Inspection> inspections;
  if (const auto small =
          case_to_inspect(shared.task, shared.entry.direction, configs(ConfigSet::small))) {
    inspections = {{"racecheck", *small}, {"synccheck", *small}};
  }
  if (const auto timed =
          case_near_timed(shared.task, shared.entry.direction, configs(ConfigSet::single))) {
    inspections.push_back({"racecheck", *timed});
  }
  if (inspections.empty()) return nullptr;
  return std::make_unique<SynchronisationCheck>(state.inspected(), tools.compute_sanitizer,
                                                tools.cuobjdump, inspections,
                                                shared.memory.sanitizer_memory());
}

void test_each_case(SubmissionState& state, ExamineOptions options, std::size_t wanted) {
  std::vector<CaseRecord> ended;
  options.on_case = [&, wanted](const CaseRecord& record) {
    ended.push_back(record);
    state.report(Stage::test, fmt::format("{} of {} cases", ended.size(), wanted), ended.size(),
                 wanted);
    if (state.request.stop.stop_requested()) throw Cancelled();
  };
  try {
    state.record.cases = examine(state.shared.task, state.kernel.entry, state.build.record.library,
                                 state.cases, options);
  } catch (const Cancelled&) {
    state.record.cases_not_called = static_cast<int>(wanted - ended.size());
    state.record.cases = std::move(ended);
    throw;
  }
}

void test_in_sequence(SubmissionState& state, const ExamineOptions& options, std::size_t wanted) {
  state.report(Stage::test, "all cases in one sequence", wanted - 1, wanted);
  bool ends_early = false;
  state.record.cases.push_back(examine_sequence(state.shared.task, state.kernel.entry,
                                                state.build.record.library, state.cases, options,
                                                &ends_early));
  state.cut_short |= ends_early;
}

void judge(SubmissionState& state) {
  KernelRecord& record = state.record;
  for (CaseRecord& tested : record.cases) state.name_functions(tested.judgement);
  record.judgement = judgement_of(record);
  if (!record.judgement.passes()) return;
  if (state.cut_short) {
    record.timing_note =
        "too slow to time: " +
        left_out_for_time(state.cases, record.cases, state.request.slow_calls->seconds);
  }
  record.judgement.reason = left_out(state);
}

}  // namespace

void test(SubmissionState& state) {
  const Scope& scope = state.scope;
  std::vector<CaseRecord>& tested = state.record.cases;
  if (state.shared.on_gpu()) state.shared.preload_operators(state.cases);
  ExamineOptions options = examine_options(state.shared, state.kernel, state.request, scope);
  options.memory_is_claimed = state.memory && state.memory->is_promise();
  const bool wants_cases = scope.only_case != sequence_name;
  const bool wants_sequence = (scope.only_case.empty() && scope.sequence) || !wants_cases;
  const std::size_t wanted = number_of_cases(state.cases, scope);
  if (wants_cases) test_each_case(state, options, wanted);
  state.cut_short =
      judgement_of(state.record).passes() && wants_cases && tested.size() < state.cases.size();
  if (options.slow_calls) options.slow_calls = left_of(*options.slow_calls, tested);
  const auto synchronisation = start_synchronisation_check(state);
  if (wants_sequence && calls_sequence(tested, options)) test_in_sequence(state, options, wanted);
  state.record.cases_not_called = static_cast<int>(wanted - tested.size());
  if (synchronisation) {
    state.report(Stage::test, "under racecheck and synccheck", wanted, wanted);
    for (CaseRecord& record : synchronisation->records(state.request.synchronisation_time)) {
      tested.push_back(std::move(record));
    }
  }
  judge(state);
}

}  // namespace robust_kbench
