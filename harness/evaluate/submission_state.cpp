#include "evaluate/submission_state.hpp"

#include <algorithm>

#include "compile/given_names.hpp"
#include "core/kernel_places.hpp"
#include "evaluate/crash_frames.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/scope.hpp"

namespace robust_kbench {
namespace {

// Only tests use configs that are not listed. A kernel's own scope may not be widened.
Scope scope_of(const Request& request, const KernelSource& kernel, std::uint64_t nonce) {
  Scope scope = request.scope;
  if (scope.nonce == 0) scope.nonce = nonce;
  const bool tests = request.stages.contains(Stage::test);
  scope.coverage = tests ? std::max(scope.coverage, kernel.coverage) : Coverage::listed;
  return scope;
}

std::vector<Case> cases_to_test(const SharedState& shared, const Request& request,
                                const Scope& scope) {
  if (!request.stages.contains(Stage::test) && !request.stages.contains(Stage::sanitize)) return {};
  return tested_cases(shared.manifest, shared.task, shared.entry.direction, shared.device, scope);
}

std::vector<Config> configs_to_time(const SharedState& shared, const Request& request,
                                    const Scope& scope) {
  if (!request.stages.contains(Stage::time)) return {};
  if (!request.timed.empty()) return request.timed;
  return timed_configs(shared.manifest, shared.task, shared.entry.direction, shared.device, scope);
}

}  // namespace

KernelRecord record_of(const KernelSource& kernel) {
  const bool as_direction = kernel.entry_point == to_string(kernel.entry.direction);
  return {.path = kernel.sources.empty() ? "" : kernel.sources.front(),
          .name = kernel.name,
          .entry = kernel.entry,
          .entry_point = as_direction ? "" : kernel.entry_point,
          .device = kernel.device,
          .solution = kernel.solution};
}

SubmissionState::SubmissionState(SharedState& shared_state, const KernelSource& source,
                                 const Request& asked)
    : shared(shared_state),
      kernel(source),
      request(asked),
      scope(scope_of(request, kernel, shared.nonce())),
      cases(cases_to_test(shared, request, scope)),
      timed(configs_to_time(shared, request, scope)),
      replay(chosen_replay(request.replay, shared.on_gpu() && wants(Stage::time),
                           missing_for_replay(shared.manifest.toolchain))),
      record(record_of(kernel)) {
  const bool listed = std::ranges::all_of(cases, [](const Case& c) { return c.is_listed(); });
  record.coverage = listed ? Coverage::listed : scope.coverage;
}

double SubmissionState::seconds_since(std::chrono::steady_clock::time_point start) const {
  return std::chrono::duration<double>(shared.options.now() - start).count();
}

void SubmissionState::report(Stage stage, const std::string& text, std::size_t done,
                             std::size_t total) const {
  if (request.on_progress) request.on_progress({stage, done, total, text});
}

InspectedKernel SubmissionState::inspected() const {
  return {.task = shared.task,
          .entry = kernel.entry,
          .library = build.record.library,
          .entry_point = entry_point_of(kernel),
          .worker = shared.manifest.toolchain.worker,
          .readable = library_places(kernel),
          .stop = request.stop};
}

void SubmissionState::name_functions(Judgement& judgement) const {
  judgement.reason = with_sources_of_modules(
      with_functions(judgement.reason, build.record.library, shared.manifest.toolchain.worker),
      kernel);
}

}  // namespace robust_kbench
