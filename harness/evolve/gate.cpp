#include "evolve/gate.hpp"

#include <utility>

#include "archive/refusal.hpp"
#include "archive/stored_record.hpp"
#include "evolve/acceptance.hpp"
#include "propose/source_check.hpp"
#include "source/fingerprint.hpp"
#include "source/frozen_regions.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// The record of a kernel after one more evaluation: that of the evaluation, with the profile that
// the kernel got at any time. A race tests nothing, so the cases of the tests before it stay.
// Memcheck only adds to the findings of the tests. Times on unseen configs compare with no others,
// so they replace none.
KernelRecord record_after(EvaluationKind kind, KernelRecord now,
                          const std::optional<KernelRecord>& before) {
  if (!before) return now;
  if (kind == EvaluationKind::unseen && now.judgement.passes()) return *before;
  if (kind == EvaluationKind::memcheck) {
    KernelRecord record = *before;
    record.cases.insert(record.cases.end(), now.cases.begin(), now.cases.end());
    if (outranks(now.judgement.verdict, record.judgement.verdict)) record.judgement = now.judgement;
    return record;
  }
  if (kind != EvaluationKind::profile) {
    now.profile = before->profile;
    if (now.cases.empty()) now.cases = before->cases;
    return now;
  }
  KernelRecord record = *before;
  record.profile = std::move(now.profile);
  return record;
}

}  // namespace

void forget_speedup(ProposalRow& row) {
  row.speedup.reset();
  row.ci_low.reset();
  row.ci_high.reset();
}

Gate::Gate(const EvolutionSettings& settings, Journal& journal, TimeLimit& limit,
           EvaluationBackend& backend, Archive& archive,
           std::function<void(const ProposalRow&)> save)
    : m_settings(settings),
      m_journal(journal),
      m_limit(limit),
      m_backend(backend),
      m_archive(archive),
      m_save(std::move(save)) {}

void Gate::know(const Candidate& candidate, const std::string& object_hash) {
  m_tokens.insert(fingerprint(candidate.text));
  if (!object_hash.empty()) m_objects.insert(object_hash);
}

void Gate::refuse(ProposalRow& row, const std::string& reason_class,
                  const std::string& reason) const {
  row.refuse(reason_class, reason);
  m_save(row);
}

std::string Gate::key_of(EvaluationKind kind, const Candidate& candidate, const Rivals& rivals,
                         int attempt) const {
  std::string key = fmt::format("{}/{}", to_string(kind), candidate.hash);
  for (const auto& [name, rival] : rivals) key += "/" + rival->hash;
  if (!m_settings.deduplicate) key += fmt::format("/{}", candidate.id);
  return key + fmt::format("/{}", attempt);
}

Evaluation Gate::effect(EvaluationKind kind, const Candidate& candidate, const Rivals& rivals,
                        int attempt) {
  const std::string key = key_of(kind, candidate, rivals, attempt);
  const auto evaluated = [&] {
    return nlohmann::json(m_backend.evaluate(kind, candidate, rivals));
  };
  if (comes_at_first(kind)) return m_limit.once_at_first(key, evaluated).get<Evaluation>();
  if (decides_candidate(kind)) return m_limit.once(key, evaluated).get<Evaluation>();
  return m_journal.once(key, evaluated).get<Evaluation>();
}

Evaluation Gate::evaluate(EvaluationKind kind, const Candidate& candidate,
                          const std::map<std::string, const Candidate*>& rivals, int attempt,
                          ProposalRow& row) {
  Evaluation evaluation = effect(kind, candidate, rivals, attempt);
  const std::lock_guard lock(m_mutex);
  for (const auto& [stage, seconds] : evaluation.seconds) {
    row.seconds[stage] += seconds;
    m_evaluation_seconds += seconds;
  }
  row.record_hash =
      put_record(m_archive, record_after(kind, evaluation.record, record_of(m_archive, row)));
  row.gpu = evaluation.record.gpu;
  if (!evaluation.record.build.compiler.empty()) row.toolkit = evaluation.record.build.compiler;
  return evaluation;
}

// There is no memcheck on the CPU.
Evaluation Gate::test(const Candidate& candidate, ProposalRow& row) {
  Evaluation tested = evaluate(EvaluationKind::test, candidate, {}, 1, row);
  const bool on_gpu = candidate.kernel.device == Device::cuda;
  if (!on_gpu || !tested.record.judgement.passes()) return tested;
  return evaluate(EvaluationKind::memcheck, candidate, {}, 1, row);
}

double Gate::evaluation_seconds() const {
  const std::lock_guard lock(m_mutex);
  return m_evaluation_seconds;
}

bool Gate::is_new(const std::set<std::string>& known, const std::string& what,
                  const std::string& hash, std::int64_t id) {
  if (!m_settings.deduplicate) return true;
  if (known.contains(hash)) return false;
  const std::lock_guard lock(m_mutex);
  return m_journal.once("first/" + what + "/" + hash, [id] { return nlohmann::json(id); }) == id;
}

bool Gate::parse(const Candidate& child, const Candidate& parent, ProposalRow& row) {
  row.stage = ProposalStage::parsed;
  row.token_hash = fingerprint(child.text);
  const std::string fault = source_fault(child.text, child.kernel.device);
  if (!fault.empty()) {
    refuse(row, refusal::malformed, fault);
    return false;
  }
  if (frozen_regions(child.text) != frozen_regions(parent.text)) {
    refuse(row, refusal::frozen,
           "a region between `// frozen: begin` and `// frozen: end` was changed, or stands "
           "within other directives or brackets, or a macro of its words was added or changed");
    return false;
  }
  if (!is_new(m_tokens, "tokens", row.token_hash, row.id)) {
    refuse(row, refusal::duplicate, "the same tokens were tried before");
    return false;
  }
  m_save(row);
  return true;
}

bool Gate::compile(const Candidate& child, ProposalRow& row) {
  const Evaluation evaluation = evaluate(EvaluationKind::compile, child, {}, 1, row);
  if (!take(evaluation, row, ProposalStage::compiled)) return false;
  row.object_hash = evaluation.object_hash;
  if (!is_new(m_objects, "object", row.object_hash, row.id)) {
    refuse(row, refusal::duplicate, "the same machine code was tried before");
    return false;
  }
  return true;
}

bool Gate::build(const Candidate& child, const Candidate& parent, ProposalRow& row) {
  return parse(child, parent, row) && compile(child, row);
}

bool Gate::take(const Evaluation& evaluation, ProposalRow& row, ProposalStage stage) {
  row.stage = stage;
  const Judgement& judgement = evaluation.record.judgement;
  if (judgement.passes()) {
    m_save(row);
    return true;
  }
  forget_speedup(row);
  refuse(row, label(judgement), with_output(judgement));
  return false;
}

bool Gate::race(const Candidate& child, const Candidate& parent, EvaluationKind kind, int attempt,
                ProposalRow& row, Result& result) {
  const Evaluation evaluation = evaluate(kind, child, {{parent_rival, &parent}}, attempt, row);
  const bool tests = kind == EvaluationKind::screen;
  if (!take(evaluation, row, tests ? ProposalStage::tested : ProposalStage::raced)) {
    result.is_right = false;
    return false;
  }
  row.stage = ProposalStage::raced;
  result.timings = evaluation.record.timings;
  const RaceJudgement judgement = judge_race(result.timings, parent_rival, m_settings.slower_limit);
  if (judgement.speedup) {
    row.speedup = judgement.speedup->ratio;
    row.ci_low = judgement.speedup->ci_low;
    row.ci_high = judgement.speedup->ci_high;
  }
  if (judgement.result == RaceResult::faster) {
    m_save(row);
    return true;
  }
  refuse(row, judgement.result == RaceResult::slower ? refusal::slower : refusal::no_gain,
         judgement.reason);
  return false;
}

std::optional<ProfileRecord> Gate::profile(const Candidate& candidate, ProposalRow& row) {
  if (!m_settings.profile) return std::nullopt;
  return evaluate(EvaluationKind::profile, candidate, {}, 1, row).record.profile;
}

void Gate::profile_ahead(const Candidate& candidate) {
  (void)effect(EvaluationKind::profile, candidate, {}, 1);
}

bool Gate::may_profile_ahead(const Candidate& candidate) const {
  return m_backend.profiles_beside() &&
         !m_journal.knows(key_of(EvaluationKind::profile, candidate, {}, 1));
}

Gate::Result Gate::pass(const Candidate& child, const Candidate& parent, int candidates,
                        ProposalRow& row) {
  Result result;
  if (row.stage != ProposalStage::compiled && !build(child, parent, row)) return result;
  if (!race(child, parent, EvaluationKind::screen, 1, row, result)) return result;
  const TimeLimit::Finishing finishing(m_limit);
  m_limit.require_time_to_confirm(fmt::format("{}/tested", row.id));
  if (!take(test(child, row), row, ProposalStage::tested)) return result;
  result.is_right = true;
  const int races = required_races(candidates, m_settings.level);
  for (int attempt = 2; attempt <= races; ++attempt) {
    if (!race(child, parent, EvaluationKind::race, attempt, row, result)) return result;
  }
  m_limit.require_time_to_confirm(fmt::format("{}/accepted", row.id));
  row.stage = ProposalStage::archived;
  row.outcome = ProposalOutcome::accepted;
  m_save(row);
  result.accepted = true;
  return result;
}

}  // namespace robust_kbench
