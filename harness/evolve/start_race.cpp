#include "evolve/start_race.hpp"

#include <algorithm>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <semaphore>
#include <set>

#include "core/error.hpp"
#include "core/own_command.hpp"
#include "evolve/race_figures.hpp"
#include "evolve/run_summary.hpp"

namespace robust_kbench {
namespace {

ProposalRow tested(const Candidate& start, const RunRow& run, Archive& archive, Gate& gate,
                   RunLog& log) {
  ProposalRow row{.id = start.id,
                  .run = run.id,
                  .outcome = ProposalOutcome::seed,
                  .proposer = "seed",
                  .strategy = start.name,
                  .source_hash = archive.put_content(start.text),
                  .device = std::string(to_string(run.device))};
  log.event("trying", {{"id", start.id}, {"strategy", start.name}, {"proposer", "seed"}});
  const Evaluation compiled = gate.evaluate(EvaluationKind::compile, start, {}, 1, row);
  Judgement judgement = compiled.record.judgement;
  if (judgement.passes()) judgement = gate.test(start, row).record.judgement;
  row.stage = ProposalStage::tested;
  row.object_hash = compiled.object_hash;
  if (!judgement.passes()) {
    row.reason_class = label(judgement);
    row.reason = with_output(judgement);
  }
  log.save(row);
  return row;
}

// Tests all starts, up to `at_a_time` side by side. Equal ones come one after another, as the
// journal knows an evaluation by its source.
std::vector<ProposalRow> all_tested(const std::vector<Candidate>& starts, int at_a_time,
                                    const std::function<ProposalRow(const Candidate&)>& test) {
  std::counting_semaphore<> free_places(at_a_time);
  std::set<std::string> known;
  std::vector<std::future<ProposalRow>> tests;
  for (const Candidate& start : starts) {
    const bool beside_others = at_a_time > 1 && known.insert(start.hash).second;
    tests.push_back(std::async(beside_others ? std::launch::async : std::launch::deferred, [&] {
      free_places.acquire();
      const std::shared_ptr<void> tested(nullptr, [&](void*) { free_places.release(); });
      return test(start);
    }));
  }
  std::vector<ProposalRow> rows;
  for (std::future<ProposalRow>& each : tests) rows.push_back(each.get());
  return rows;
}

double seconds_in(const ProposalRow& row, EvaluationKind kind) {
  const auto found = row.seconds.find(to_string(kind));
  return found == row.seconds.end() ? 0 : found->second;
}

// Sorts the starts by the race. Returns the cost of eager mode, if it took part.
std::optional<double> sort_by_race(std::vector<Candidate>& starts, const KernelRecord& race) {
  std::optional<double> eager_cost;
  for (const SpeedupRecord& speedup : race.mean_speedups) {
    const auto raced = std::ranges::find(starts, speedup.against, &Candidate::name);
    if (raced != starts.end()) raced->cost = speedup.ratio;
    if (speedup.against == "eager") eager_cost = speedup.ratio;
  }
  std::ranges::stable_sort(starts, {}, &Candidate::cost);
  return eager_cost;
}

const Candidate& first_of(const std::vector<Candidate>& right, const std::string& named,
                          const RunRow& run) {
  if (named.empty()) return right.front();
  const auto found = std::ranges::find(right, named, &Candidate::name);
  if (found != right.end()) return *found;
  throw UserError("the kernel '" + named + "' to begin with is not right; see `" + own_command() +
                  " archive show " + run.id + "`");
}

// The right starts, and the seconds of the longest test.
RacedStarts right_starts(const EvolutionPlan& plan, const RunRow& run, Archive& archive, Gate& gate,
                         RunLog& log) {
  RacedStarts tested_ones;
  const std::vector<ProposalRow> rows =
      all_tested(plan.starts, plan.evaluated_at_a_time,
                 [&](const Candidate& start) { return tested(start, run, archive, gate, log); });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    gate.know(plan.starts[i], rows[i].object_hash);
    if (!rows[i].reason_class.empty()) continue;
    tested_ones.right.push_back(plan.starts[i]);
    const double seconds =
        seconds_in(rows[i], EvaluationKind::test) + seconds_in(rows[i], EvaluationKind::memcheck);
    tested_ones.seconds.test = std::max(tested_ones.seconds.test, seconds);
  }
  if (tested_ones.right.empty()) {
    throw UserError("no kernel of " + run.entry.name() +
                    " to begin with is right: " + rows.back().reason);
  }
  return tested_ones;
}

nlohmann::json costs_of(const std::vector<Candidate>& starts) {
  nlohmann::json costs = nlohmann::json::object();
  for (const Candidate& start : starts) costs[start.name] = start.cost;
  return costs;
}

}  // namespace

RacedStarts race_starts(const EvolutionPlan& plan, const RunRow& run, Archive& archive, Gate& gate,
                        RunLog& log) {
  RacedStarts raced = right_starts(plan, run, archive, gate, log);
  const Candidate racer = raced.right.front();  // against all others
  std::map<std::string, const Candidate*> rivals;
  for (std::size_t i = 1; i < raced.right.size(); ++i) {
    rivals[raced.right[i].name] = &raced.right[i];
  }
  ProposalRow row = log.row(racer.id);
  const KernelRecord race = gate.evaluate(EvaluationKind::starts, racer, rivals, 1, row).record;
  raced.seconds.race = seconds_in(row, EvaluationKind::starts);
  log.save(row);
  const std::optional<double> eager_cost = sort_by_race(raced.right, race);
  Candidate& first = raced.first_parent = first_of(raced.right, plan.first_parent, run);
  for (Candidate& start : raced.right) start.cost /= first.cost;
  raced.empty_us = empty_times_us(race.timings);
  raced.figures = {{"seed_times_us", times_of(race.timings, racer.name)},
                   {"seeds", costs_of(raced.right)}};
  if (!raced.empty_us.empty()) raced.figures["empty_us"] = raced.empty_us;
  if (eager_cost) raced.figures["eager_cost"] = *eager_cost / first.cost;
  first.cost = 1;
  first.timings = first.id == racer.id ? race.timings : timings_as_kernel(race.timings, first.name);
  nlohmann::json event{{"parent", first.name}, {"costs", raced.figures["seeds"]}};
  if (const Candidate* best = fastest_registered(raced.right, plan.plain)) {
    if (best->id != first.id) event["registered"] = best->name;
  }
  log.event("seeds", event);
  return raced;
}

}  // namespace robust_kbench
