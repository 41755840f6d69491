#include "evolve/evolution.hpp"

#include <algorithm>
#include <utility>

#include "archive/refusal.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "evolve/confirmation.hpp"
#include "evolve/run_summary.hpp"
#include "evolve/start_race.hpp"
#include "verify/vote_ranking.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr const char* least_time = "the least possible time";

}  // namespace

Evolution::Evolution(EvolutionPlan plan, Archive& archive, const std::string& run, Journal& journal,
                     EvaluationBackend& backend, std::vector<std::unique_ptr<Proposer>> proposers,
                     RunLog::OnEvent on_event)
    : m_plan(std::move(plan)),
      m_archive(archive),
      m_run(archive.run(run)),
      m_journal(journal),
      m_backend(backend),
      m_round(std::move(proposers), journal),
      m_log(archive, m_run.id, std::move(on_event)),
      m_limit(journal, m_plan.search, m_plan.first_races),
      m_gate(m_plan.settings, journal, m_limit, backend, archive,
             [this](const ProposalRow& row) { m_log.save(row); }),
      m_iteration(m_plan, archive, m_run.id, journal, m_limit, m_gate, m_log,
                  [this](const Candidate& child) { expect_after(child); }),
      m_memory(archive),
      m_profile(m_plan, journal, m_gate, m_log, m_lineage, m_round.works_without_profile()),
      m_running(journal, m_plan.side_by_side == 1) {
  for (const std::string& tokens : m_plan.refused_before) m_gate.know_tokens(tokens);
}

RunRow Evolution::run(const std::stop_token& stop) {
  std::string reason = interrupt_reason;
  m_run.state = RunState::running;
  m_archive.update_run(m_run);
  try {
    race_starts();
    m_limit.watch([this] { return 60 * m_plan.settings.minutes - seconds_so_far(); },
                  {.confirmation = confirmation_seconds(m_start_seconds),
                   .finishing = first_candidate_seconds(m_start_seconds)});
    const std::string ended = search(stop);
    while (!m_running.is_idle()) settle_next();
    m_limit.end_watch();
    m_spent.seconds = seconds_at("drained");
    m_rate.read_clock(m_spent.seconds);
    confirm();
    m_spent.seconds = seconds_at("end");
    reason = ended;
    m_run.state = RunState::ended;
  } catch (const Cancelled&) {
    interrupted();
  } catch (const HarnessError& error) {
    reason = error.what();
    interrupted();
  }
  summarise(reason);
  return m_run;
}

std::string Evolution::search(const std::stop_token& stop) {
  std::optional<std::string> ended;
  while (!ended) {
    if (stop.stop_requested()) throw Cancelled();
    ended = reason_to_stop();
    if (ended == least_time && !is_confirmed_at_least_time()) {
      m_at_least_time = false;
      ended.reset();
    }
    if (ended) break;
    begin_samples();
    if (m_running.is_idle()) {
      ended = m_round.nothing_more(m_step);
    } else {
      settle_next();
    }
  }
  return *ended;
}

// The clock of a run that goes on later begins where the loop ended.
double Evolution::seconds_at(const std::string& moment) {
  const std::string key = fmt::format("clock/{}/{}", moment, m_step);
  if (m_journal.replays() && !m_journal.find(key)) return m_spent.seconds;
  return m_journal.once(key, [this] { return nlohmann::json(seconds_so_far()); });
}

// Waits for all work that is under way.
void Evolution::interrupted() {
  m_running.clear();
  m_limit.end_watch();
  m_run.state = RunState::interrupted;
  m_spent.seconds = seconds_so_far();
}

double Evolution::seconds_so_far() const {
  return m_plan.clock() - m_began.load();
}

void Evolution::race_starts() {
  RacedStarts raced = robust_kbench::race_starts(m_plan, m_run, m_archive, m_gate, m_log);
  m_empty_us = std::move(raced.empty_us);
  m_start_seconds = raced.seconds;
  m_lineage.begin(std::move(raced.right), std::move(raced.first_parent));
  m_run.summary.update(raced.figures);
}

double Evolution::elapsed_seconds() {
  const std::string key = fmt::format("clock/{}", m_step);
  const bool known = m_journal.knows(key);
  const double seconds = m_journal.once(key, [&] { return nlohmann::json(seconds_so_far()); });
  if (known) m_began = m_plan.clock() - seconds;
  return seconds;
}

std::optional<std::string> Evolution::reason_to_stop() {
  m_spent.seconds = elapsed_seconds();
  m_rate.read_clock(m_spent.seconds);
  // Most candidates are refused early. One that wins takes at least as long as a first one may.
  const double first_guess = first_candidate_seconds(m_start_seconds);
  m_spent.to_come = std::max(first_guess, m_rate.candidate_seconds(first_guess)) +
                    confirmation_seconds(m_start_seconds);
  if (m_plan.device == Device::cuda) m_spent.gpu_seconds = m_gate.evaluation_seconds();
  m_spent.generations = m_generation - (m_sample == m_plan.settings.population ? 0 : 1);
  if (auto reason = stop_reason(m_spent, m_plan.settings)) return reason;
  if (auto reason = m_round.reason_to_end(next_id(), m_step)) return reason;
  if (m_at_least_time) return least_time;
  return std::nullopt;
}

void Evolution::expect_after(const Candidate& child) const {
  if (m_plan.side_by_side > 1 || m_journal.replays() || !m_backend.looks_ahead()) return;
  const ProposalRequest request{.parent = m_lineage.parent(), .context = {}, .id = child.id + 1};
  const auto text = m_round.foresee(request, child.text);
  if (!text) return;
  m_backend.expect(
      m_iteration.child_of(m_lineage.first(), request.id, {.text = *text, .strategy = ""}));
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
  return static_cast<std::int64_t>(m_plan.starts.size()) + m_spent.proposals + 1;
}

std::unique_ptr<Sample> Evolution::next_sample() {
  const std::int64_t id = next_id();
  auto sample = std::make_unique<Sample>(Sample{.request = {.parent = m_lineage.parent(),
                                                            .context = m_lineage.context(),
                                                            .id = id,
                                                            .tried = m_memory.tried(),
                                                            .missed = m_lineage.missed_gains(),
                                                            .has_begun = m_round.has_begun(id)}});
  std::optional<BegunProposal> begun = m_round.begin(sample->request);
  if (!begun) return nullptr;
  sample->begun = *std::move(begun);
  ++m_spent.proposals;
  m_rate.begin(id);
  sample->candidates = m_spent.evaluations + m_running.size() + 1;
  sample->row = {.id = id,
                 .run = m_run.id,
                 .parents = {m_lineage.parent().id},
                 .proposer = sample->begun.proposer->facts().name,
                 .device = std::string(to_string(m_plan.device))};
  begin_row(sample->row);
  return sample;
}

bool Evolution::has_room() const {
  const EvolutionSettings& settings = m_plan.settings;
  const int running = m_running.size();
  const int at_a_time = m_plan.votes.ranks() ? m_running.count(Sample::Phase::being_made) : running;
  if (at_a_time >= m_plan.side_by_side) return false;
  if (settings.max_evaluations > 0 && m_spent.evaluations + running >= settings.max_evaluations) {
    return false;
  }
  const bool generation_is_full = m_sample == settings.population;
  if (m_plan.votes.ranks() && generation_is_full && !m_running.empty()) return false;
  return settings.max_generations == 0 || m_generation < settings.max_generations ||
         !generation_is_full;
}

void Evolution::begin_samples() {
  while (has_room()) {
    m_profile.begin(m_running);
    if (m_profile.is_awaited(m_running)) return;
    std::unique_ptr<Sample> next = next_sample();
    if (!next) return;
    Sample& sample = m_running.add(std::move(next));
    // A thread of its own must not look at the lineage, which grows meanwhile.
    m_running.start(
        sample, [this, &sample, &first = m_lineage.first()] { m_iteration.run(sample, first); });
  }
}

void Evolution::settle_next() {
  ++m_step;
  if (!m_running.any_busy()) {
    rank_generation();
    return;
  }
  Sample* const ended = m_running.wait_for_one(m_step);
  if (ended == nullptr) {
    m_profile.finish();
    return;
  }
  Sample& sample = *ended;
  if (m_plan.votes.ranks() && sample.phase == Sample::Phase::being_made) {
    sample.phase = Sample::Phase::ranked;
    return;
  }
  settle(sample);
  m_running.remove(sample);
}

// Samples without a source are settled with their generation.
void Evolution::rank_generation() {
  std::vector<Sample*> samples;
  std::vector<RankedKernel> kernels;
  for (Sample* sample : m_running.all()) {
    if (sample->is_decided()) continue;
    samples.push_back(sample);
    kernels.push_back({.text = sample->child.text, .score = score(*sample->votes)});
  }
  std::vector<std::string> known;
  for (const Candidate* kernel : m_lineage.parents()) known.push_back(kernel->text);
  const auto seed = static_cast<std::uint64_t>(m_plan.settings.seed) * 1000003 +
                    static_cast<std::uint64_t>(m_generation);
  const auto most = static_cast<std::size_t>(m_plan.votes.evaluated);
  for (const std::size_t chosen : ranked(kernels, most, known, seed)) {
    Sample& sample = *samples[chosen];
    sample.phase = Sample::Phase::being_evaluated;
    m_running.start(sample, [this, &sample] { m_iteration.evaluate(sample); });
  }
  for (Sample* sample : m_running.all()) {
    if (sample->phase == Sample::Phase::being_evaluated) continue;
    ProposalRow& row = sample->row;
    if (!sample->is_decided()) {
      row.refuse(refusal::outranked, to_text(*sample->votes));
      m_log.save(row);
    }
    settle(*sample);
    m_running.remove(*sample);
  }
}

void Evolution::settle(Sample& sample) {
  const ProposalRow& row = sample.row;
  if (was_tested(row)) ++m_spent.evaluations;
  if (was_cut_short(row)) {  // so that nobody knows anything of it
    m_rate.give_up(row.id);
    return;
  }
  m_rate.decide(row.id);
  if (row.seconds.contains("compile") && !was_kept_back(row)) ++m_spent.in_vain;
  m_memory.add(sample);
  if (sample.result.accepted) {
    accept(sample);
  } else if (sample.result.is_right && row.speedup) {
    sample.child.cost = sample.request.parent.cost / *row.speedup;
    m_lineage.add_outraced(std::move(sample.child));
  }
}

void Evolution::accept(Sample& sample) {
  const ProposalRow& row = sample.row;
  m_spent.in_vain = 0;
  Candidate& child = sample.child;
  child.cost = sample.request.parent.cost / *row.speedup;
  child.timings = sample.result.timings;
  m_lineage.accept(std::move(child));
  m_limit.keep_time_to_confirm(true);
  if (m_lineage.parent().id == row.id) {
    m_at_least_time = at_least_time(sample.result.timings, m_empty_us);
  }
  const double cost = m_lineage.parent().cost;
  nlohmann::json event{
      {"id", row.id},          {"strategy", row.strategy}, {"speedup", *row.speedup},
      {"ci_low", *row.ci_low}, {"ci_high", *row.ci_high},  {"over_first_parent", 1 / cost}};
  if (const Candidate* best = fastest_registered(m_lineage.right_starts(), m_plan.plain)) {
    event["over_registered"] = best->cost / cost;
  }
  m_log.event("accepted", event);
}

bool Evolution::confirms(const Candidate& winner) {
  m_log.event("confirming", {{"id", winner.id}, {"strategy", winner.name}});
  ConfirmationRace race{.first_parent = m_lineage.first(),
                        .others = {},
                        .empty_us = m_empty_us,
                        .slower_limit = m_plan.settings.slower_limit};
  for (const Candidate& start : m_lineage.right_starts()) {
    if (start.id == race.first_parent.id) continue;
    race.others.emplace(rival_name(start, m_plan.plain), &start);
  }
  ProposalRow row = m_log.row(winner.id);
  const Confirmation confirmation = robust_kbench::confirm(m_gate, winner, race, row);
  m_log.save(row);
  m_run.summary.update(confirmation.figures);
  m_confirmed_at_least_time = confirmation.at_least_time;
  if (!confirmation.holds) m_memory.withdraw(row);
  return confirmation.holds;
}

void Evolution::confirm() {
  while (m_lineage.parents().size() > 1 && m_lineage.parent().id != m_confirmed) {
    if (confirms(m_lineage.parent())) {
      m_confirmed = m_lineage.parent().id;
    } else {
      m_lineage.drop_parent();
    }
  }
  m_limit.keep_time_to_confirm(false);
}

bool Evolution::is_confirmed_at_least_time() {
  const std::int64_t fastest = m_lineage.parent().id;
  confirm();
  return m_confirmed == fastest && m_confirmed_at_least_time;
}

void Evolution::summarise(const std::string& stop_reason) {
  m_run.stop_reason = stop_reason;
  robust_kbench::summarise(m_run, {.rows = m_log.rows(),
                                   .spent = m_spent,
                                   .settings = m_memory.settings(),
                                   .audit = m_memory.audit(),
                                   .right_starts = m_lineage.right_starts(),
                                   .lineage = m_lineage.parents(),
                                   .confirmed = m_confirmed,
                                   .plain = m_plan.plain,
                                   .rate = m_rate});
  m_archive.update_run(m_run);
}

}  // namespace robust_kbench
