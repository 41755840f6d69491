#include "evolve/translation.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "archive/refusal.hpp"
#include "core/cancelled.hpp"
#include "core/output_file.hpp"
#include "core/sha256.hpp"
#include "evolve/stop_rule.hpp"
#include "prompt/failure_report.hpp"
#include "prompt/kernel_answer.hpp"
#include "propose/source_check.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr const char* translate_stage = "translate";

// The model was not asked, or could not be.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace

void to_json(nlohmann::json& json, const TranslationSettings& settings) {
  json = {{"attempts", settings.attempts},
          {"error_summary", settings.error_summary},
          {"exhaust", settings.exhaust},
          {"independent", settings.independent}};
}

Translation::Translation(TranslationPlan plan, Archive& archive, const std::string& run,
                         Journal& journal, EvaluationBackend& backend, ModelSession& models,
                         RunLog::OnEvent on_event)
    : m_plan(std::move(plan)),
      m_archive(archive),
      m_run(archive.run(run)),
      m_journal(journal),
      m_models(models),
      m_log(archive, m_run.id, std::move(on_event)),
      m_gate(m_usual, journal, m_no_limit, backend, archive,
             [this](const ProposalRow& row) { m_log.save(row); }) {}

RunRow Translation::run(const std::stop_token& stop) {
  const TranslationSettings& settings = m_plan.settings;
  const bool all = settings.exhaust || settings.independent;
  m_run.state = RunState::running;
  m_archive.update_run(m_run);
  try {
    if (settings.independent) ask_all();
    for (int number = 1; number <= settings.attempts && (all || m_right.empty()); ++number) {
      if (stop.stop_requested()) throw Cancelled();
      attempt(number);
    }
    m_run.winner = fastest();
    finish(RunState::ended, all || m_right.empty() ? "all attempts are made" : "a right kernel");
  } catch (const Cancelled&) {
    finish(RunState::interrupted, interrupt_reason);
  } catch (const NoAnswer& none) {
    finish(RunState::interrupted, none.what());
  }
  m_asked.clear();  // waits for them
  return m_run;
}

ProposalRow Translation::row_of(int number) const {
  const bool beside = m_plan.settings.independent;
  return {.id = number,
          .run = m_run.id,
          .generation = beside ? 1 : number,
          .sample = beside ? number : 1,
          .proposer = translate_stage,
          .settings = {{"model", m_plan.model}},
          .device = std::string(to_string(m_plan.subject.device))};
}

// Asks for an attempt. One without an answer is made again when the run goes on, so its failure is
// not kept.
ModelReply Translation::ask(int number) {
  TranslationAttempt shown{.attempt = number, .attempts = m_plan.settings.attempts};
  if (m_plan.settings.independent) {
    shown.attempt = shown.attempts = 1;
  } else {
    shown.failed = m_failed;
  }
  ModelReply reply = m_models.ask({.call = fmt::format("translate/{}", number),
                                   .stage = translate_stage,
                                   .proposal = number,
                                   .prompt = "translate",
                                   .data = translation_data(m_plan.subject, shown),
                                   .keep_failure = false},
                                  m_plan.model);
  const ModelOutcome outcome = reply.answer.outcome;
  if (outcome == ModelOutcome::error || outcome == ModelOutcome::not_granted) {
    throw NoAnswer("no answer to attempt " + std::to_string(number) + ": " + reply.answer.message);
  }
  return reply;
}

void Translation::ask_all() {
  for (int number = 1; number <= m_plan.settings.attempts; ++number) {
    m_log.save(row_of(number));
    m_asked[number] = std::async(std::launch::async, [this, number] { return ask(number); });
  }
}

void Translation::attempt(int number) {
  ProposalRow row = row_of(number);
  m_log.event("asking", {{"id", row.id}, {"proposer", row.proposer}});
  if (!m_plan.settings.independent) m_log.save(row);
  const ModelReply reply = m_plan.settings.independent ? m_asked.at(number).get() : ask(number);
  if (auto failed = judge(row, reply)) m_failed.push_back(*std::move(failed));
}

std::optional<FailedProposal> Translation::judge(ProposalRow& row, const ModelReply& reply) {
  const Answer& answer = reply.answer;
  row.stage = ProposalStage::parsed;
  if (answer.outcome != ModelOutcome::ok || !answer.message.empty()) {
    const std::string what = !answer.message.empty() ? answer.message
                             : answer.outcome == ModelOutcome::length
                                 ? "the answer was cut off at the limit of its length"
                                 : "the model declined";
    return refuse(row, {answer.text, std::string(to_string(answer.outcome)), what});
  }
  const ParsedKernelAnswer parsed =
      parse_kernel_answer(answer.text, m_plan.subject.device, reply.mark);
  if (!parsed.kernel) return refuse(row, {answer.text, refusal::malformed, parsed.reason});
  const KernelAnswer& kernel = *parsed.kernel;
  row.strategy = kernel.strategy;
  row.settings["name"] = kernel.name;
  row.settings["description"] = kernel.description;
  row.source_hash = m_archive.put_content(kernel.code);
  const std::string fault = source_fault(kernel.code, m_plan.subject.device);
  if (!fault.empty()) return refuse(row, {kernel.code, refusal::malformed, fault});
  m_log.event("trying", {{"id", row.id}, {"strategy", row.strategy}, {"proposer", row.proposer}});
  return evaluate(row, kernel.code);
}

Candidate Translation::candidate_of(const ProposalRow& row, const std::string& source) const {
  Candidate candidate{.id = row.id,
                      .name = fmt::format("{}_{}", m_run.id, row.id),
                      .text = source,
                      .hash = sha256(source),
                      .kernel = m_plan.kernel};
  candidate.kernel.name = candidate.name;
  candidate.kernel.sources = {m_archive.directory() / "runs" / m_run.id / std::to_string(row.id) /
                              (m_plan.subject.device == Device::cuda ? "kernel.cu" : "kernel.cpp")};
  return candidate;
}

std::optional<FailedProposal> Translation::evaluate(ProposalRow& row, const std::string& source) {
  Candidate candidate = candidate_of(row, source);
  if (!m_journal.replays()) OutputFile(candidate.kernel.sources.front()).write(source);
  const Evaluation compiled = m_gate.evaluate(EvaluationKind::compile, candidate, {}, 1, row);
  row.stage = ProposalStage::compiled;
  row.object_hash = compiled.object_hash;
  KernelRecord record = compiled.record;
  if (record.judgement.passes()) {
    record = m_gate.test(candidate, row).record;
    row.stage = ProposalStage::tested;
  }
  if (const Judgement& judgement = record.judgement; !judgement.passes()) {
    row.refuse(label(judgement), with_output(judgement));
    m_log.save(row);
    FailedProposal failed{source, row.reason_class,
                          failure_report({row.reason_class, row.reason, record})};
    failed.error = condensed(row.id, failed);
    return failed;
  }
  row.outcome = ProposalOutcome::kept;
  m_log.save(row);
  m_right.push_back(std::move(candidate));
  return std::nullopt;
}

FailedProposal Translation::refuse(ProposalRow& row, const FailedProposal& failed) {
  row.refuse(failed.failure, failed.error);
  m_log.save(row);
  return failed;
}

// The error in fewer words, or as it is where nobody will see it, or the model has no shorter one.
std::string Translation::condensed(std::int64_t id, const FailedProposal& failed) {
  const TranslationSettings& settings = m_plan.settings;
  if (!settings.error_summary || settings.independent || id == settings.attempts) {
    return failed.error;
  }
  const Answer answer =
      m_models
          .ask({.call = fmt::format("condense_error/{}", id),
                .stage = translate_stage,
                .purpose = "condense_error",
                .proposal = id,
                .prompt = "condense_error",
                .data = error_data(m_plan.subject.device, failed.text, failed.error),
                .keep_refusal = false},
               m_plan.model)
          .answer;
  if (answer.outcome == ModelOutcome::not_granted) {
    throw NoAnswer("no summary of the error of attempt " + std::to_string(id) + ": " +
                   answer.message);
  }
  return answer.outcome == ModelOutcome::ok && !answer.text.empty() ? answer.text : failed.error;
}

std::int64_t Translation::fastest() {
  if (m_right.empty()) return 0;
  std::map<std::string, const Candidate*> rivals;
  for (const Candidate& right : m_right) {
    if (right.hash != m_right.front().hash) rivals[right.name] = &right;
  }
  const Candidate* winner = &m_right.front();
  ProposalRow first = m_log.row(winner->id);
  if (!rivals.empty()) {
    const Evaluation race =
        m_gate.evaluate(EvaluationKind::starts, m_right.front(), rivals, 1, first);
    double cost = 1;
    nlohmann::json costs{{std::to_string(winner->id), cost}};
    for (const SpeedupRecord& speedup : race.record.mean_speedups) {
      const auto raced = rivals.find(speedup.against);
      if (raced == rivals.end()) continue;
      costs[std::to_string(raced->second->id)] = speedup.ratio;
      if (speedup.ratio >= cost) continue;
      cost = speedup.ratio;
      winner = raced->second;
    }
    m_run.summary["costs"] = costs;
    m_log.save(first);
  }
  ProposalRow row = m_log.row(winner->id);
  row.stage = ProposalStage::archived;
  row.outcome = ProposalOutcome::accepted;
  m_log.save(row);
  m_run.summary["source"] = winner->kernel.sources.front();
  return winner->id;
}

void Translation::finish(RunState state, const std::string& stop_reason) {
  std::map<std::string, int> refused;
  const std::map<std::int64_t, ProposalRow> rows = m_log.rows();
  for (const auto& [id, row] : rows) {
    if (row.outcome == ProposalOutcome::refused) ++refused[row.reason_class];
  }
  m_run.state = state;
  m_run.stop_reason = stop_reason;
  m_run.summary["refused"] = refused;
  m_run.summary["proposals"] = rows.size();
  m_archive.update_run(m_run);
}

}  // namespace robust_kbench
