#include "evolve/evolution.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "archive/stored_record.hpp"
#include "core/cancelled.hpp"
#include "core/output_file.hpp"
#include "core/sha256.hpp"
#include "evolve/acceptance.hpp"
#include "evolve/confirmation.hpp"
#include "evolve/context_kernels.hpp"
#include "evolve/run_summary.hpp"
#include "evolve/seed_race.hpp"
#include "evolve/vote_ranking.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* least_time = "the least possible time";

// Classes of reasons.
constexpr const char* voted_out = "voted_out";
constexpr const char* outranked = "outranked";

bool was_kept_back(const ProposalRow& row) {
  return row.reason_class == voted_out || row.reason_class == outranked;
}

bool was_tested(const ProposalRow& row) {
  return row.seconds.contains(to_string(EvaluationKind::screen));
}

// Which proposer begins a proposal may depend on what models may be asked by now. So the journal
// keeps it.
std::string begun_key(std::int64_t id) {
  return fmt::format("begun/{}", id);
}

}  // namespace

Evolution::Evolution(EvolutionPlan plan, Archive& archive, const std::string& run, Journal& journal,
                     CandidateEvaluator& evaluator,
                     std::vector<std::unique_ptr<Proposer>> proposers, RunLog::OnEvent on_event)
    : m_plan(std::move(plan)),
      m_archive(archive),
      m_run(archive.run(run)),
      m_journal(journal),
      m_evaluator(evaluator),
      m_proposers(std::move(proposers)),
      m_takes_long(std::ranges::any_of(
          m_proposers, [](const auto& proposer) { return proposer->takes_long(); })),
      m_log(archive, m_run.id, std::move(on_event)),
      m_gate(m_plan.settings, journal, evaluator, archive,
             [this](const ProposalRow& row) { m_log.save(row); }),
      m_evaluating(m_plan.evaluated_at_a_time) {
  for (const std::string& tokens : m_plan.refused_before) m_gate.know_tokens(tokens);
  std::vector<double> shares;
  for (const auto& proposer : m_proposers) {
    if (proposer->comes_first()) continue;
    m_round.push_back(proposer.get());
    shares.push_back(proposer->share());
  }
  m_turns = Turns(std::move(shares));
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
      if (!ended) begin_samples();
      if (m_running.empty()) {
        if (!ended) ended = nothing_more();
      } else if (!ended) {
        settle_next();
      }
    }
    while (!m_running.empty()) settle_next();
    confirm();
    reason = *ended;
    m_run.state = "ended";
  } catch (const Cancelled&) {
    m_running.clear();  // waits for them
    m_run.state = "interrupted";
  }
  summarise(reason);
  return m_run;
}

std::string Evolution::nothing_more() const {
  std::string reason = "nothing more to propose";
  for (const auto& proposer : m_proposers) {
    if (!proposer->silence().empty()) reason += "; " + proposer->silence();
  }
  if (!m_takes_long) return reason;
  return m_journal.once(fmt::format("nothing_more/{}", m_step),
                        [&] { return nlohmann::json(reason); });
}

// A run that was resumed after such an end has gone on with the next proposal.
std::optional<std::string> Evolution::reason_of_proposers() const {
  if (!m_takes_long || m_journal.find(begun_key(next_id()))) return std::nullopt;
  const std::string key = fmt::format("ended_by_proposers/{}", m_step);
  if (m_journal.replays()) {
    const auto reason = m_journal.find(key);
    return reason ? std::optional(reason->get<std::string>()) : std::nullopt;
  }
  for (const auto& proposer : m_proposers) {
    if (const auto reason = proposer->ends_run()) {
      return m_journal.once(key, [&] { return nlohmann::json(*reason); });
    }
  }
  return std::nullopt;
}

void Evolution::race_seeds() {
  RacedSeeds raced =
      robust_kbench::race_seeds(m_plan.seeds, m_plan.first_parent, m_run, m_archive, m_gate, m_log);
  m_right_seeds = std::move(raced.right);
  m_empty_us = std::move(raced.empty_us);
  m_accepted.push_back(std::move(raced.first_parent));
  m_lineage.push_back(&m_accepted.back());
  m_run.summary.update(raced.figures);
}

double Evolution::elapsed_seconds() {
  const std::string key = fmt::format("clock/{}", m_step);
  const bool known = m_journal.knows(key);
  const double seconds = m_journal.once(key, [&] {
    return nlohmann::json(m_seconds_before +
                          std::chrono::duration<double>(Clock::now() - m_start).count());
  });
  if (known) {
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
  if (auto reason = reason_of_proposers()) return reason;
  if (m_at_least_time) return least_time;
  return std::nullopt;
}

Candidate Evolution::candidate_of(std::int64_t id, const Proposal& proposal) const {
  Candidate child{.id = id,
                  .name = proposal.strategy,
                  .text = proposal.text,
                  .hash = sha256(proposal.text),
                  .kernel = m_lineage.front()->kernel,
                  .declarations = m_lineage.front()->declarations};
  const fs::path seed_source = m_lineage.front()->kernel.sources.front();
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
  Turns later = m_turns;
  (void)later.offer([&](std::size_t index) {
    const auto text = m_round[index]->foresee(request, child.text);
    if (text) m_evaluator.expect(candidate_of(request.id, {.text = *text, .strategy = ""}));
    return text.has_value();
  });
}

void Evolution::begin_row(ProposalRow& row) {
  if (m_sample == m_plan.settings.population) {
    ++m_generation;
    m_sample = 0;
  }
  row.generation = m_generation;
  row.sample = ++m_sample;
}

std::int64_t Evolution::next_id() const {
  return static_cast<std::int64_t>(m_plan.seeds.size()) + m_spent.proposals + 1;
}

std::unique_ptr<Evolution::Sample> Evolution::next_sample() {
  const std::int64_t id = next_id();
  const std::optional<nlohmann::json> begun =
      m_takes_long ? m_journal.find(begun_key(id)) : std::nullopt;
  auto sample = std::make_unique<Sample>(
      Sample{.request = {.parent = parent(),
                         .context = context_kernels(m_lineage, m_right_seeds, m_outraced),
                         .id = id,
                         .tried = m_tried,
                         .has_begun = begun.has_value()}});
  const auto knows = [&](Proposer& proposer) {
    sample->proposer = &proposer;
    if (!proposer.takes_long()) {
      sample->proposal = proposer.propose(sample->request);
      return sample->proposal.has_value();
    }
    if (begun ? *begun != proposer.name() : m_journal.replays()) return false;
    std::optional<Proposer::Job> job = proposer.begin(sample->request);
    if (job) sample->job = *std::move(job);
    return job.has_value();
  };
  bool found = std::any_of(m_proposers.begin(), m_proposers.end(), [&](const auto& proposer) {
    return proposer->comes_first() && knows(*proposer);
  });
  found = found || m_turns.offer([&](std::size_t index) { return knows(*m_round[index]); });
  if (!found) return nullptr;
  if (m_takes_long) {
    (void)m_journal.once(begun_key(id), [&] { return nlohmann::json(sample->proposer->name()); });
  }
  ++m_spent.proposals;
  sample->candidates = m_spent.evaluations + static_cast<int>(m_running.size()) + 1;
  sample->row = {.id = id,
                 .run = m_run.id,
                 .parents = {parent().id},
                 .proposer = sample->proposer->name(),
                 .device = std::string(to_string(m_plan.device))};
  begin_row(sample->row);
  return sample;
}

void Evolution::make(Sample& sample) {
  ProposalRow& row = sample.row;
  if (!sample.proposal) {
    m_log.event("asking", {{"id", row.id}, {"proposer", row.proposer}});
    sample.proposal = sample.job();
  }
  sample.child = candidate_of(row.id, *sample.proposal);
  const Candidate& child = sample.child;
  if (!m_journal.replays()) OutputFile(child.kernel.sources.front()).write(child.text);
  row.strategy = sample.proposal->strategy;
  row.source_hash = m_archive.put_content(child.text);
  row.settings = sample.proposal->settings;
  m_log.event("trying", {{"id", row.id}, {"strategy", row.strategy}, {"proposer", row.proposer}});
  if (child.text.empty() && !sample.proposal->refused.empty()) {
    row.outcome = "refused";
    row.reason_class = "no_source";
    row.reason = sample.proposal->refused;
  }
  m_log.save(row);
}

// A compiler costs seconds and a vote costs money. So where votes decide, it comes before them.
bool Evolution::builds(Sample& sample) {
  m_evaluating.acquire();
  const std::shared_ptr<void> built(nullptr, [this](void*) { m_evaluating.release(); });
  return m_gate.build(sample.child, sample.request.parent, sample.row);
}

void Evolution::vote(Sample& sample) {
  if (!m_plan.votes.votes_on || !sample.row.outcome.empty()) return;
  if (m_plan.votes.gate != VotePlan::Gate::off && !builds(sample)) return;
  sample.votes = m_plan.votes.votes_on(sample.child);
  ProposalRow& row = sample.row;
  row.settings["votes"] = votes_json(*sample.votes);
  row.settings["verdicts"] = verdicts_json(*sample.votes);
  if (m_plan.votes.gate == VotePlan::Gate::majority && !has_majority(*sample.votes)) {
    row.outcome = "refused";
    row.reason_class = voted_out;
    row.reason = to_text(*sample.votes);
  }
  m_log.save(row);
}

void Evolution::evaluate(Sample& sample) {
  if (!sample.row.outcome.empty()) return;
  if (m_plan.side_by_side == 1) expect_after(sample.child);
  m_evaluating.acquire();
  const std::shared_ptr<void> evaluated(nullptr, [this](void*) { m_evaluating.release(); });
  sample.result = m_gate.pass(sample.child, sample.request.parent, sample.candidates, sample.row);
  if (sample.votes) look_at_memory(sample);
}

// An audit of votes asks memcheck of all kernels that compile, so that it knows the truth.
void Evolution::look_at_memory(Sample& sample) {
  const bool audits = m_plan.votes.gate == VotePlan::Gate::off;
  const bool is_known = sample.row.seconds.contains(to_string(EvaluationKind::memcheck));
  if (!audits || is_known || m_plan.device != Device::cuda || !was_tested(sample.row)) return;
  (void)m_gate.evaluate(EvaluationKind::memcheck, sample.child, {}, 1, sample.row);
  m_log.save(sample.row);
}

bool Evolution::ranks() const {
  return m_plan.votes.votes_on && m_plan.votes.gate == VotePlan::Gate::rank;
}

bool Evolution::has_room() const {
  const EvolutionSettings& settings = m_plan.settings;
  const auto running = static_cast<int>(m_running.size());
  const auto made = std::count_if(m_running.begin(), m_running.end(), [](const auto& each) {
    return each.second->phase == Phase::being_made;
  });
  if ((ranks() ? static_cast<int>(made) : running) >= m_plan.side_by_side) return false;
  if (settings.max_evaluations > 0 && m_spent.evaluations + running >= settings.max_evaluations) {
    return false;
  }
  const bool generation_is_full = m_sample == settings.population;
  if (ranks() && generation_is_full && !m_running.empty()) return false;
  return settings.max_generations == 0 || m_generation < settings.max_generations ||
         !generation_is_full;
}

void Evolution::start(Sample& sample, const std::function<void()>& phase) {
  const auto policy = m_plan.side_by_side == 1 ? std::launch::deferred : std::launch::async;
  sample.done = std::async(policy, [this, phase, id = sample.row.id] {
    const std::shared_ptr<void> finished(nullptr, [this, id](void*) {
      const std::lock_guard lock(m_finishing);
      m_finished.push_back(id);
      m_one_finished.notify_one();
    });
    phase();
  });
}

void Evolution::begin_samples() {
  while (has_room()) {
    std::unique_ptr<Sample> next = next_sample();
    if (!next) return;
    Sample& sample = *next;
    m_running[sample.row.id] = std::move(next);
    start(sample, [this, &sample] {
      make(sample);
      vote(sample);
      if (!ranks()) evaluate(sample);
    });
  }
}

std::vector<std::int64_t> Evolution::busy() const {
  std::vector<std::int64_t> ids;
  for (const auto& [id, sample] : m_running) {
    if (sample->phase != Phase::ranked) ids.push_back(id);
  }
  return ids;
}

// Which one comes first is an effect of the machine, so the journal keeps it.
std::int64_t Evolution::wait_for_one() {
  const std::vector<std::int64_t> ids = busy();
  if (ids.size() == 1 || m_plan.side_by_side == 1) return ids.front();
  return m_journal.once(fmt::format("settled/{}", m_step), [this] {
    std::unique_lock lock(m_finishing);
    m_one_finished.wait(lock, [this] { return !m_finished.empty(); });
    return nlohmann::json(m_finished.front());
  });
}

void Evolution::settle_next() {
  ++m_step;
  if (busy().empty()) {
    rank_generation();
    return;
  }
  const std::int64_t id = wait_for_one();
  Sample& sample = *m_running.at(id);
  sample.done.get();
  {
    const std::lock_guard lock(m_finishing);
    std::erase(m_finished, id);
  }
  if (ranks() && sample.phase == Phase::being_made) {
    sample.phase = Phase::ranked;
    return;
  }
  settle(sample);
  m_running.erase(id);
}

// What has no source is settled with it.
void Evolution::rank_generation() {
  std::vector<Sample*> samples;
  std::vector<RankedKernel> kernels;
  for (const auto& [id, sample] : m_running) {
    if (!sample->row.outcome.empty()) continue;
    samples.push_back(sample.get());
    kernels.push_back({.text = sample->child.text, .score = score(*sample->votes)});
  }
  std::vector<std::string> known;
  for (const Candidate* kernel : m_lineage) known.push_back(kernel->text);
  const auto seed = static_cast<std::uint64_t>(m_plan.settings.seed) * 1000003 +
                    static_cast<std::uint64_t>(m_generation);
  const auto most = static_cast<std::size_t>(m_plan.votes.evaluated);
  for (const std::size_t chosen : ranked(kernels, most, known, seed)) {
    Sample& sample = *samples[chosen];
    sample.phase = Phase::being_evaluated;
    start(sample, [this, &sample] { evaluate(sample); });
  }
  for (auto each = m_running.begin(); each != m_running.end();) {
    Sample& sample = *each->second;
    if (sample.phase == Phase::being_evaluated) {
      ++each;
      continue;
    }
    if (sample.row.outcome.empty()) {
      sample.row.outcome = "refused";
      sample.row.reason_class = outranked;
      sample.row.reason = to_text(*sample.votes);
      m_log.save(sample.row);
    }
    settle(sample);
    each = m_running.erase(each);
  }
}

void Evolution::audit(const Sample& sample) {
  const auto record = record_of(m_archive, sample.row);
  // A kernel that only compiled was kept back, or is a duplicate. Nothing is known of it.
  if (!record || (record->judgement.passes() && !was_tested(sample.row))) return;
  double seconds = 0;
  for (const auto& [stage, spent] : sample.row.seconds) seconds += spent;
  m_audit.add(*sample.votes, *record, seconds);
}

void Evolution::settle(Sample& sample) {
  const ProposalRow& row = sample.row;
  if (was_tested(row)) ++m_spent.evaluations;
  if (row.seconds.contains("compile") && !was_kept_back(row)) ++m_spent.in_vain;
  note_setting(row, sample.result.timings);
  sample.proposer->learn({.text = sample.child.text,
                          .accepted = sample.result.accepted,
                          .speedup = row.speedup,
                          .id = row.id,
                          .reason_class = row.reason_class,
                          .reason = row.reason});
  if (sample.votes) audit(sample);
  m_tried.push_back({.strategy = row.strategy,
                     .outcome = sample.result.accepted ? row.outcome : row.reason_class,
                     .speedup = row.speedup,
                     .id = row.id});
  if (!sample.result.accepted) {
    if (!sample.result.is_right || !row.speedup) return;
    sample.child.cost = sample.request.parent.cost / *row.speedup;
    m_outraced.push_back(std::move(sample.child));
    return;
  }
  m_spent.in_vain = 0;
  m_accepted.push_back(std::move(sample.child));
  Candidate& child = m_accepted.back();
  child.cost = sample.request.parent.cost / *row.speedup;
  child.profile = sample.result.profile;
  child.timings = sample.result.timings;
  // Another may have become the parent since, and be faster still.
  const auto place = std::find_if(m_lineage.begin() + 1, m_lineage.end(),
                                  [&](const Candidate* other) { return other->cost < child.cost; });
  m_lineage.insert(place, &child);
  if (&parent() == &child) m_at_least_time = at_least_time(sample.result.timings, m_empty_us);
  m_log.event("accepted", {{"id", row.id},
                           {"strategy", row.strategy},
                           {"speedup", *row.speedup},
                           {"ci_low", *row.ci_low},
                           {"ci_high", *row.ci_high},
                           {"over_first_parent", 1 / parent().cost}});
}

void Evolution::withdraw(const ProposalRow& row) {
  const auto tried = std::ranges::find(m_tried, row.id, &TriedStrategy::id);
  tried->outcome = row.reason_class;
  tried->speedup = row.speedup;
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

bool Evolution::confirms(const Candidate& winner) {
  m_log.event("confirming", {{"id", winner.id}, {"strategy", winner.name}});
  ConfirmationRace race{.first_parent = *m_lineage.front(),
                        .others = {},
                        .empty_us = m_empty_us,
                        .slower_limit = m_plan.settings.slower_limit};
  for (const Candidate& seed : m_right_seeds) {
    if (seed.id == race.first_parent.id) continue;
    race.others.emplace(rival_name(seed, m_plan.plain), &seed);
  }
  ProposalRow row = m_log.row(winner.id);
  const Confirmation confirmation = robust_kbench::confirm(m_gate, winner, race, row);
  m_log.save(row);
  m_run.summary.update(confirmation.figures);
  m_confirmed_at_least_time = confirmation.at_least_time;
  if (!confirmation.holds) withdraw(row);
  return confirmation.holds;
}

void Evolution::confirm() {
  while (m_lineage.size() > 1 && parent().id != m_confirmed) {
    if (confirms(parent())) {
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
  m_run.stop_reason = stop_reason;
  robust_kbench::summarise(m_run, {.rows = m_log.rows(),
                                   .spent = m_spent,
                                   .settings = m_settings,
                                   .audit = m_audit,
                                   .right_seeds = m_right_seeds,
                                   .lineage = m_lineage,
                                   .plain = m_plan.plain});
  m_archive.update_run(m_run);
}

}  // namespace robust_kbench
