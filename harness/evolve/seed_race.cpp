#include "evolve/seed_race.hpp"

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "core/own_command.hpp"
#include "evolve/race_figures.hpp"
#include "evolve/stop_rule.hpp"

namespace robust_kbench {
namespace {

bool is_right(const Candidate& seed, const RunRow& run, Archive& archive, Gate& gate, RunLog& log) {
  ProposalRow row{.id = seed.id,
                  .run = run.id,
                  .outcome = "seed",
                  .proposer = "seed",
                  .strategy = seed.name,
                  .source_hash = archive.put_content(seed.text),
                  .device = std::string(to_string(run.device))};
  log.event("trying", {{"id", seed.id}, {"strategy", seed.name}, {"proposer", "seed"}});
  const Evaluation compiled = gate.evaluate(EvaluationKind::compile, seed, {}, 1, row);
  Evaluation tested = compiled;
  if (compiled.record.judgement.passes()) {
    tested = gate.test(seed, row);
  }
  row.stage = "tested";
  row.object_hash = compiled.object_hash;
  gate.know(seed, compiled.object_hash);
  const Judgement& judgement = tested.record.judgement;
  if (!judgement.passes()) {
    row.reason_class = label(judgement);
    row.reason = with_output(judgement);
  }
  log.save(row);
  return judgement.passes();
}

// Sorts the raced ones by what the race says. The cost of eager mode, if it took part.
std::optional<double> sort_by_race(std::vector<Candidate>& seeds, const KernelRecord& race) {
  std::optional<double> eager_cost;
  for (const SpeedupRecord& speedup : race.mean_speedups) {
    const auto raced = std::ranges::find(seeds, speedup.against, &Candidate::name);
    if (raced != seeds.end()) raced->cost = speedup.ratio;
    if (speedup.against == "eager") eager_cost = speedup.ratio;
  }
  std::ranges::stable_sort(seeds, {}, &Candidate::cost);
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

}  // namespace

RacedSeeds race_seeds(const std::vector<Candidate>& seeds, const std::string& named,
                      const RunRow& run, Archive& archive, Gate& gate, RunLog& log) {
  RacedSeeds raced;
  for (const Candidate& seed : seeds) {
    if (is_right(seed, run, archive, gate, log)) raced.right.push_back(seed);
  }
  if (raced.right.empty()) {
    throw UserError("no kernel of " + run.entry.name() +
                    " to begin with is right: " + log.row(seeds.back().id).reason);
  }
  const Candidate racer = raced.right.front();  // against all others
  std::map<std::string, const Candidate*> rivals;
  for (std::size_t i = 1; i < raced.right.size(); ++i) {
    rivals[raced.right[i].name] = &raced.right[i];
  }
  ProposalRow row = log.row(racer.id);
  const KernelRecord race = gate.evaluate(EvaluationKind::seeds, racer, rivals, 1, row).record;
  const std::optional<double> eager_cost = sort_by_race(raced.right, race);
  Candidate& first = raced.first_parent = first_of(raced.right, named, run);
  for (Candidate& seed : raced.right) seed.cost /= first.cost;
  raced.empty_us = empty_times_us(race.timings);
  raced.figures["seed_times_us"] = times_of(race.timings, racer.name);
  if (!raced.empty_us.empty()) raced.figures["empty_us"] = raced.empty_us;
  if (eager_cost) raced.figures["eager_cost"] = *eager_cost / first.cost;
  nlohmann::json& costs = raced.figures["seeds"] = nlohmann::json::object();
  for (const Candidate& seed : raced.right) costs[seed.name] = seed.cost;
  first.cost = 1;
  first.timings = first.id == racer.id ? race.timings : timings_as_kernel(race.timings, first.name);
  ProposalRow first_row = first.id == row.id ? row : log.row(first.id);
  first.profile = gate.profile(first, first_row);
  log.save(first_row);
  log.event("seeds", {{"parent", first.name}, {"costs", costs}});
  return raced;
}

}  // namespace robust_kbench
