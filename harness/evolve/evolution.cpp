#include "evolve/evolution.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "archive/timestamp.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/sha256.hpp"
#include "evolve/acceptance.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* least_time = "the least possible time";

nlohmann::json to_json(const SpeedupRecord& speedup) {
  return {{"ratio", speedup.ratio}, {"ci_low", speedup.ci_low}, {"ci_high", speedup.ci_high}};
}

nlohmann::json by_subject(const std::vector<SpeedupRecord>& speedups) {
  nlohmann::json json = nlohmann::json::object();
  for (const SpeedupRecord& speedup : speedups) json[speedup.against] = to_json(speedup);
  return json;
}

// The median times of each config, in microseconds, by subject. `kernel` is what the raced kernel
// is called.
nlohmann::json times_of(const std::vector<ConfigTimingRecord>& timings, const std::string& kernel) {
  nlohmann::json times = nlohmann::json::object();
  for (const ConfigTimingRecord& config : timings) {
    for (const TimingRecord& subject : config.subjects) {
      const bool raced = &subject == &config.subjects.front();
      times[config.config][raced ? kernel : subject.subject] = subject.median_us;
    }
  }
  return times;
}

}  // namespace

Evolution::Evolution(EvolutionPlan plan, Archive& archive, const std::string& run, Journal& journal,
                     CandidateEvaluator& evaluator,
                     std::vector<std::unique_ptr<Proposer>> proposers, OnEvent on_event)
    : m_plan(std::move(plan)),
      m_archive(archive),
      m_run(archive.run(run)),
      m_journal(journal),
      m_evaluator(evaluator),
      m_proposers(std::move(proposers)),
      m_on_event(std::move(on_event)),
      m_gate(m_plan.settings, journal, evaluator, archive,
             [this](const ProposalRow& row) { save(row); }) {
  for (ProposalRow& row : archive.proposals(m_run.id)) m_rows[row.id] = std::move(row);
  for (const std::string& tokens : m_plan.refused_before) m_gate.know_tokens(tokens);
}

RunRow Evolution::run(const std::stop_token& stop) {
  std::string reason = "interrupted";
  m_run.state = "running";
  m_archive.update_run(m_run);
  try {
    race_seeds();
    std::optional<std::string> ended;
    while (!ended) {
      if (stop.stop_requested()) throw Cancelled();
      ended = reason_to_stop();
      if (ended == least_time && !is_confirmed_at_least_time()) {
        m_at_least_time = false;
        ended.reset();
      }
      if (!ended && !next_candidate()) ended = "nothing more to propose";
    }
    confirm();
    reason = *ended;
    m_run.state = "ended";
  } catch (const Cancelled&) {
    m_run.state = "interrupted";
  }
  summarise(reason);
  return m_run;
}

void Evolution::event(const std::string& kind, nlohmann::json event) {
  event["event"] = kind;
  if (m_on_event) m_on_event(event);
  m_archive.event(m_run.id, event);
}

void Evolution::save(const ProposalRow& row) {
  ProposalRow& known = m_rows[row.id];
  const std::string created_at = known.created_at.empty() ? timestamp() : known.created_at;
  known = row;
  known.created_at = created_at;
  m_archive.save(known);
  if (m_on_event) {
    m_on_event({{"event", "proposal"},
                {"id", row.id},
                {"generation", row.generation},
                {"stage", row.stage},
                {"outcome", row.outcome},
                {"reason_class", row.reason_class},
                {"reason", row.reason},
                {"proposer", row.proposer},
                {"strategy", row.strategy}});
  }
}

// Tests all, then lets the right ones race. The fastest, or the one that was named, becomes the
// first parent.
void Evolution::race_seeds() {
  for (const Candidate& seed : m_plan.seeds) {
    ProposalRow row{.id = seed.id,
                    .run = m_run.id,
                    .outcome = "seed",
                    .proposer = "seed",
                    .strategy = seed.name,
                    .source_hash = m_archive.put_content(seed.text),
                    .device = std::string(to_string(m_plan.device))};
    event("trying", {{"id", seed.id}, {"strategy", seed.name}, {"proposer", "seed"}});
    const Evaluation compiled = m_gate.evaluate(EvaluationKind::compile, seed, {}, 1, row);
    Evaluation tested = compiled;
    if (compiled.record.judgement.passes()) {
      tested = m_gate.evaluate(EvaluationKind::test, seed, {}, 1, row);
    }
    row.stage = "tested";
    row.object_hash = compiled.object_hash;
    m_gate.know(seed, compiled.object_hash);
    if (tested.record.judgement.passes()) {
      m_right_seeds.push_back(seed);
    } else {
      row.reason_class = label(tested.record.judgement);
      row.reason = tested.record.judgement.reason;
    }
    save(row);
  }
  if (m_right_seeds.empty()) {
    throw UserError("no kernel of " + m_plan.entry.name() +
                    " to begin with is right: " + m_rows.rbegin()->second.reason);
  }
  std::map<std::string, const Candidate*> rivals;
  for (std::size_t i = 1; i < m_right_seeds.size(); ++i) {
    rivals[m_right_seeds[i].name] = &m_right_seeds[i];
  }
  ProposalRow& row = m_rows.at(m_right_seeds.front().id);
  const Evaluation race =
      m_gate.evaluate(EvaluationKind::seeds, m_right_seeds.front(), rivals, 1, row);
  m_run.summary["seed_times_us"] = times_of(race.record.timings, m_right_seeds.front().name);
  std::optional<double> eager_cost;
  for (const SpeedupRecord& speedup : race.record.mean_speedups) {
    const auto raced = std::find_if(m_right_seeds.begin(), m_right_seeds.end(),
                                    [&](const auto& seed) { return seed.name == speedup.against; });
    if (raced != m_right_seeds.end()) raced->cost = speedup.ratio;
    if (speedup.against == "eager") eager_cost = speedup.ratio;
  }
  std::stable_sort(m_right_seeds.begin(), m_right_seeds.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  const auto named =
      std::find_if(m_right_seeds.begin(), m_right_seeds.end(),
                   [&](const Candidate& seed) { return seed.name == m_plan.first_parent; });
  if (!m_plan.first_parent.empty() && named == m_right_seeds.end()) {
    throw UserError("the kernel '" + m_plan.first_parent +
                    "' to begin with is not right; see "
                    "`rkb archive show " +
                    m_run.id + "`");
  }
  const Candidate first = named == m_right_seeds.end() ? m_right_seeds.front() : *named;
  for (Candidate& seed : m_right_seeds) seed.cost /= first.cost;
  m_empty_us = empty_times_us(race.record.timings);
  if (!m_empty_us.empty()) m_run.summary["empty_us"] = m_empty_us;
  if (eager_cost) m_run.summary["eager_cost"] = *eager_cost / first.cost;
  m_lineage.push_back(first);
  m_lineage.back().cost = 1;
  ProposalRow first_row = m_rows.at(first.id);
  m_lineage.back().profile = m_gate.profile(first, first_row);
  save(first_row);
  nlohmann::json costs = nlohmann::json::object();
  for (const Candidate& seed : m_right_seeds) costs[seed.name] = seed.cost;
  m_run.summary["seeds"] = costs;
  event("seeds", {{"parent", first.name}, {"costs", costs}});
}

double Evolution::elapsed_seconds() {
  const std::string key = fmt::format("clock/{}", m_spent.proposals);
  const double seconds = m_journal.once(key, [&] {
    return nlohmann::json(m_seconds_before +
                          std::chrono::duration<double>(Clock::now() - m_start).count());
  });
  if (m_journal.was_known()) {
    m_seconds_before = seconds;
    m_start = Clock::now();
  }
  return seconds;
}

std::optional<std::string> Evolution::reason_to_stop() {
  m_spent.seconds = elapsed_seconds();
  if (m_plan.device == Device::cuda) m_spent.gpu_seconds = m_gate.evaluation_seconds();
  m_spent.generations = m_generation - (m_sample == m_plan.settings.population ? 0 : 1);
  if (auto reason = stop_reason(m_spent, m_plan.settings)) return reason;
  if (m_at_least_time) return least_time;
  return std::nullopt;
}

Candidate Evolution::candidate_of(std::int64_t id, const Proposal& proposal) const {
  Candidate child{.id = id,
                  .name = proposal.strategy,
                  .text = proposal.text,
                  .hash = sha256(proposal.text),
                  .kernel = m_lineage.front().kernel,
                  .declarations = m_lineage.front().declarations};
  const fs::path seed_source = m_lineage.front().kernel.sources.front();
  const fs::path source = m_archive.directory() / "runs" / m_run.id / std::to_string(id) /
                          ("kernel" + seed_source.extension().string());
  child.kernel.sources.front() = source;
  child.kernel.name = fmt::format("{}_{}", m_run.id, id);
  child.kernel.record.clear();
  child.kernel.library.clear();
  child.kernel.include_directories.push_back(seed_source.parent_path());
  return child;
}

void Evolution::expect_after(const Candidate& child) const {
  if (m_journal.replays() || !m_evaluator.looks_ahead()) return;
  const ProposalRequest request{.parent = parent(), .context = {}, .id = child.id + 1};
  for (std::size_t i = 0; i < m_proposers.size(); ++i) {
    const Proposer& next = *m_proposers[(m_turn + i) % m_proposers.size()];
    if (next.comes_first()) continue;
    if (const auto text = next.foresee(request, child.text)) {
      m_evaluator.expect(candidate_of(request.id, {.text = *text, .strategy = ""}));
      return;
    }
  }
}

std::optional<Proposal> Evolution::ask(Proposer& proposer, std::int64_t id) {
  ProposalRequest request{.parent = parent(), .context = {}, .id = id};
  for (const Candidate& seed : m_right_seeds) {
    if (seed.id != parent().id) request.context.push_back(&seed);
  }
  return proposer.propose(request);
}

std::optional<Proposal> Evolution::propose(std::int64_t id, Proposer*& proposer) {
  for (const auto& first : m_proposers) {
    if (!first->comes_first()) continue;
    proposer = first.get();
    if (auto proposal = ask(*proposer, id)) return proposal;
  }
  for (std::size_t asked = 0; asked < m_proposers.size(); ++asked) {
    proposer = m_proposers[m_turn++ % m_proposers.size()].get();
    if (proposer->comes_first()) continue;
    if (auto proposal = ask(*proposer, id)) return proposal;
  }
  return std::nullopt;
}

void Evolution::begin_sample(ProposalRow& row) {
  if (m_sample == m_plan.settings.population) {
    ++m_generation;
    m_sample = 0;
  }
  row.generation = m_generation;
  row.sample = ++m_sample;
}

bool Evolution::next_candidate() {
  const auto id = static_cast<std::int64_t>(m_plan.seeds.size()) + m_spent.proposals + 1;
  Proposer* proposer = nullptr;
  const std::optional<Proposal> proposal = propose(id, proposer);
  if (!proposal) return false;
  ++m_spent.proposals;
  const Candidate child = candidate_of(id, *proposal);
  if (!m_journal.replays()) OutputFile(child.kernel.sources.front()).write(child.text);
  ProposalRow row{.id = id,
                  .run = m_run.id,
                  .parents = {parent().id},
                  .proposer = proposer->name(),
                  .strategy = proposal->strategy,
                  .source_hash = m_archive.put_content(child.text),
                  .settings = proposal->settings,
                  .device = std::string(to_string(m_plan.device))};
  begin_sample(row);
  event("trying", {{"id", id}, {"strategy", row.strategy}, {"proposer", row.proposer}});
  save(row);
  expect_after(child);
  pass_gate(child, row);
  proposer->learn(
      {.text = child.text, .accepted = row.outcome == "accepted", .speedup = row.speedup});
  return true;
}

void Evolution::pass_gate(const Candidate& child, ProposalRow& row) {
  const Gate::Result result = m_gate.pass(child, parent(), m_spent.evaluations + 1, row);
  if (row.seconds.contains("compile")) {
    ++m_spent.evaluations;
    ++m_spent.in_vain;
  }
  note_setting(row, result.timings);
  if (!result.accepted) return;
  m_spent.in_vain = 0;
  m_lineage.push_back(child);
  m_lineage.back().cost = m_lineage[m_lineage.size() - 2].cost / *row.speedup;
  m_lineage.back().profile = result.profile;
  m_at_least_time = at_least_time(result.timings, m_empty_us);
  event("accepted", {{"id", row.id},
                     {"strategy", row.strategy},
                     {"speedup", *row.speedup},
                     {"ci_low", *row.ci_low},
                     {"ci_high", *row.ci_high},
                     {"over_first_parent", 1 / parent().cost}});
}

void Evolution::note_setting(const ProposalRow& row,
                             const std::vector<ConfigTimingRecord>& timings) {
  const bool is_right =
      row.outcome == "accepted" || row.reason_class == "slower" || row.reason_class == "no_gain";
  if (!is_right || !row.settings.contains("tunables")) return;
  TimedSetting timed{.id = row.id, .parent = row.parents.front(), .setting = row.strategy};
  for (const ConfigTimingRecord& config : timings) {
    for (const SpeedupRecord& speedup : config.speedups) {
      if (speedup.against == parent_rival) timed.speedups[config.config] = speedup.ratio;
    }
  }
  m_settings.push_back(std::move(timed));
}

std::string Evolution::rival_name(const Candidate& seed) const {
  return seed.name == m_plan.plain ? "plain" : "registered";
}

bool Evolution::confirms(const Candidate& winner, ProposalRow& row) {
  event("confirming", {{"id", winner.id}, {"strategy", winner.name}});
  const Candidate& first = m_lineage.front();
  std::map<std::string, const Candidate*> rivals{{parent_rival, &first}};
  for (const Candidate& seed : m_right_seeds) {
    if (seed.id == first.id) continue;
    rivals.emplace(rival_name(seed), &seed);
  }
  const Evaluation confirmed = m_gate.evaluate(EvaluationKind::confirm, winner, rivals, 1, row);
  const auto refuse = [&](const std::string& reason) {
    row.outcome = "refused";
    row.reason_class = "confirmation";
    row.reason = reason;
    save(row);
    return false;
  };
  if (!confirmed.record.judgement.passes()) return refuse(confirmed.record.judgement.reason);
  m_confirmed_at_least_time = at_least_time(confirmed.record.timings, m_empty_us);
  const RaceJudgement again =
      judge_race(confirmed.record.timings, parent_rival, m_plan.settings.slower_limit);
  if (again.result != RaceResult::faster) return refuse("not faster again: " + again.reason);
  const Evaluation unseen =
      m_gate.evaluate(EvaluationKind::unseen, winner, {{parent_rival, &first}}, 1, row);
  const Judgement& there = unseen.record.judgement;
  const bool refuses = there.verdict == Verdict::exception;
  if (!there.passes() && !refuses) return refuse("on configs that were not seen: " + there.reason);
  const RaceJudgement elsewhere =
      judge_race(unseen.record.timings, parent_rival, m_plan.settings.slower_limit);
  const bool fixed_shapes = there.passes() && unseen.record.timings.empty();
  if (!fixed_shapes && elsewhere.result != RaceResult::faster) {
    row.outcome = "specialised";
    row.reason_class = "specialised";
    row.reason = "on configs that were not seen: " + (refuses ? there.reason : elsewhere.reason);
  }
  m_run.summary["confirmed"] = by_subject(confirmed.record.mean_speedups);
  m_run.summary["times_us"] = times_of(confirmed.record.timings, "kernel");
  m_run.summary["unseen"] = by_subject(unseen.record.mean_speedups);
  save(row);
  return true;
}

void Evolution::confirm() {
  while (m_lineage.size() > 1 && parent().id != m_confirmed) {
    ProposalRow row = m_rows.at(parent().id);
    if (confirms(parent(), row)) {
      m_confirmed = parent().id;
    } else {
      m_lineage.pop_back();
    }
  }
}

bool Evolution::is_confirmed_at_least_time() {
  const std::int64_t fastest = parent().id;
  confirm();
  return m_confirmed == fastest && m_confirmed_at_least_time;
}

void Evolution::summarise(const std::string& stop_reason) {
  std::map<std::string, int> refused;
  int proposals = 0;
  for (const auto& [id, row] : m_rows) {
    if (row.proposer == "seed") continue;
    ++proposals;
    if (row.outcome == "refused") ++refused[row.reason_class];
  }
  nlohmann::json& summary = m_run.summary;
  summary["refused"] = refused;
  summary["proposals"] = proposals;
  summary["candidates"] = m_spent.evaluations;
  summary["seconds"] = m_spent.seconds;
  summary["tuning"] = tuning_reports(m_settings);
  m_run.stop_reason = stop_reason;
  m_run.winner = m_lineage.size() > 1 ? parent().id : 0;
  if (m_run.winner != 0) {
    const double cost = parent().cost;
    nlohmann::json in_search{{parent_rival, 1 / cost}};
    for (const Candidate& seed : m_right_seeds) {
      if (seed.id == m_lineage.front().id) continue;
      in_search.emplace(rival_name(seed), seed.cost / cost);
    }
    if (summary.contains("eager_cost")) {
      in_search["eager"] = summary["eager_cost"].get<double>() / cost;
    }
    summary["in_search"] = in_search;
    summary["outcome"] = m_rows.at(parent().id).outcome;
    summary["strategy"] = parent().name;
    summary["source"] = parent().kernel.sources.front();
  }
  m_archive.update_run(m_run);
}

}  // namespace robust_kbench
