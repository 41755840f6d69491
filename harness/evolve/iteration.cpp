#include "evolve/iteration.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "archive/refusal.hpp"
#include "core/output_file.hpp"
#include "core/sha256.hpp"
#include "evolve/archived_kernel.hpp"

#include <fmt/format.h>

namespace robust_kbench {

namespace fs = std::filesystem;

Iteration::Iteration(const EvolutionPlan& plan, Archive& archive, std::string run, Journal& journal,
                     TimeLimit& limit, Gate& gate, RunLog& log, OnTest on_test)
    : m_plan(plan),
      m_archive(archive),
      m_run(std::move(run)),
      m_directory(archive.directory() / "runs" / m_run),
      m_journal(journal),
      m_limit(limit),
      m_gate(gate),
      m_log(log),
      m_on_test(std::move(on_test)),
      m_evaluating(plan.evaluated_at_a_time) {}

template <typename Work>
void Iteration::in_time(Sample& sample, const Work& work) {
  try {
    work();
  } catch (const TimeIsOver& over) {
    ProposalRow& row = sample.row;
    row.refuse(refusal::time_limit, over.reason);
    if (row.source_hash.empty()) {
      row.source_hash = m_archive.put_content("");
      row.strategy = "no answer";
    }
    m_log.save(row);
  }
}

void Iteration::run(Sample& sample, const Candidate& first_parent) {
  in_time(sample, [&] {
    const Proposal proposal = ask(sample);
    sample.child = child_of(first_parent, sample.row.id, proposal);
    put_in_archive(sample, proposal);
    if (m_plan.votes.votes_on && !sample.is_decided()) vote(sample);
    if (!m_plan.votes.ranks() && !sample.is_decided()) test(sample);
  });
}

void Iteration::evaluate(Sample& sample) {
  in_time(sample, [&] { test(sample); });
}

Proposal Iteration::ask(const Sample& sample) {
  const BegunProposal& begun = sample.begun;
  if (!begun.proposer->facts().takes_long) return begun.job();
  const std::int64_t id = sample.row.id;
  m_log.event("asking", {{"id", id}, {"proposer", sample.row.proposer}});
  Proposal proposal;
  m_limit.run(fmt::format("made/{}", id), [&] { proposal = begun.job(); });
  return proposal;
}

Candidate Iteration::child_of(const Candidate& first_parent, std::int64_t id,
                              const Proposal& proposal) const {
  Candidate child{.id = id,
                  .name = proposal.strategy,
                  .text = proposal.text,
                  .hash = sha256(proposal.text),
                  .kernel = first_parent.kernel,
                  .declarations = first_parent.declarations};
  const fs::path start_source = first_parent.kernel.sources.front();
  child.kernel.sources.front() =
      m_directory / std::to_string(id) / ("kernel" + start_source.extension().string());
  child.kernel.name = fmt::format("{}_{}", m_run, id);
  child.kernel.record.clear();
  child.kernel.library.clear();
  child.kernel.include_directories.push_back(start_source.parent_path());
  forget_missing_entry_point(child.kernel, child.text);
  return child;
}

// The source becomes a file of the run, too, which compilers read.
void Iteration::put_in_archive(Sample& sample, const Proposal& proposal) {
  ProposalRow& row = sample.row;
  std::ranges::copy(proposal.further_parents, std::back_inserter(row.parents));
  sample.child.parents = row.parents;
  const Candidate& child = sample.child;
  if (!m_journal.replays()) OutputFile(child.kernel.sources.front()).write(child.text);
  row.strategy = proposal.strategy;
  row.source_hash = m_archive.put_content(child.text);
  row.settings = proposal.settings;
  m_log.event("trying", {{"id", row.id}, {"strategy", row.strategy}, {"proposer", row.proposer}});
  if (child.text.empty() && !proposal.refused.empty())
    row.refuse(refusal::no_source, proposal.refused);
  m_log.save(row);
}

bool Iteration::build(Sample& sample) {
  m_evaluating.acquire();
  const std::shared_ptr<void> built(nullptr, [this](void*) { m_evaluating.release(); });
  return m_gate.build(sample.child, sample.request.parent, sample.row);
}

// A compiler costs seconds and a vote costs money. So where votes decide, the compiler comes before
// them.
void Iteration::vote(Sample& sample) {
  if (m_plan.votes.power != VotePlan::Power::none && !build(sample)) return;
  ProposalRow& row = sample.row;
  m_limit.run(fmt::format("votes/{}", row.id),
              [&] { sample.votes = m_plan.votes.votes_on(sample.child); });
  row.settings["votes"] = votes_json(*sample.votes);
  row.settings["verdicts"] = verdicts_json(*sample.votes);
  if (m_plan.votes.power == VotePlan::Power::majority && !has_majority(*sample.votes)) {
    row.refuse(refusal::voted_out, to_text(*sample.votes));
  }
  m_log.save(row);
}

void Iteration::test(Sample& sample) {
  m_on_test(sample.child);
  m_evaluating.acquire();
  const std::shared_ptr<void> evaluated(nullptr, [this](void*) { m_evaluating.release(); });
  sample.result = m_gate.pass(sample.child, sample.request.parent, sample.candidates, sample.row);
  if (sample.votes) look_at_memory(sample);
}

// An audit of votes asks memcheck of all kernels that compile, so that it knows the truth.
void Iteration::look_at_memory(Sample& sample) {
  const bool audits = m_plan.votes.power == VotePlan::Power::none;
  const bool is_known = sample.row.seconds.contains(to_string(EvaluationKind::memcheck));
  if (!audits || is_known || m_plan.device != Device::cuda || !was_tested(sample.row)) return;
  (void)m_gate.evaluate(EvaluationKind::memcheck, sample.child, {}, 1, sample.row);
  m_log.save(sample.row);
}

}  // namespace robust_kbench
