#include "archive/dataset_row.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "archive/stored_record.hpp"
#include "core/sha256.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// Most characters of a kernel's name, as a part of a path.
constexpr std::size_t longest_name = 48;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_name &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

// Only plain names are used, since others could lead out of the dataset's directory.
std::string name_of(const ProposalRow& proposal) {
  const auto given = proposal.settings.find("name");
  const bool has_name = given != proposal.settings.end() && given->is_string();
  std::string name = has_name ? given->get<std::string>() : "";
  if (proposal.outcome == ProposalOutcome::seed) name = proposal.strategy;
  return is_name(name) ? name : "kernel_" + std::to_string(proposal.id);
}

// Whether a model or another proposer was asked. Models are asked by calls of the ledger.
bool was_asked_for(const ProposalRow& proposal, const std::set<std::int64_t>& sent) {
  const bool by_models = proposal.proposer == "llm" || proposal.proposer == "translate";
  if (by_models) return sent.contains(proposal.id);
  return proposal.outcome !=
         ProposalOutcome::open;  // else the run ended before there was an answer
}

std::vector<ProposalRow> rows_of(const std::vector<ProposalRow>& proposals,
                                 const std::vector<CallRow>& calls) {
  std::set<std::int64_t> sent;
  for (const CallRow& call : calls) {
    if (call.state != CallState::not_granted) sent.insert(call.identity.proposal);
  }
  std::vector<ProposalRow> rows;
  std::ranges::copy_if(proposals, std::back_inserter(rows), [&](const ProposalRow& proposal) {
    return has_source(proposal) || was_asked_for(proposal, sent);
  });
  return rows;
}

std::string folder_of(const RunRow& run, const ProposalRow& proposal) {
  return run.id + "/" + run.entry.task + "/" + std::string(to_string(run.entry.direction)) + "/b" +
         std::to_string(proposal.generation) + "_s" + std::to_string(proposal.sample) + "_" +
         name_of(proposal);
}

}  // namespace

DatasetRows::DatasetRows(const Archive& archive, const RunRow& run, const Scrubber& scrubber)
    : m_archive(archive),
      m_run(run),
      m_scrubber(scrubber),
      m_calls(archive.calls(run.id)),
      m_proposals(rows_of(archive.proposals(run.id), m_calls)),
      m_times(archive, m_proposals),
      m_costs(proposal_costs(m_calls)) {
  std::set<std::string> taken;
  for (const ProposalRow& proposal : m_proposals) {
    std::string folder = folder_of(run, proposal);
    if (!taken.insert(folder).second) {
      folder += "_" + std::to_string(proposal.id);
      taken.insert(folder);
    }
    m_folders.push_back(std::move(folder));
  }
}

DatasetRow DatasetRows::row(std::size_t index) const {
  const ProposalRow& proposal = m_proposals.at(index);
  const auto costs = m_costs.find(proposal.id);
  ProposalMessages messages = proposal_messages(m_archive, m_calls, proposal.id);
  messages.proposing = m_scrubber.scrubbed(messages.proposing);
  messages.profiling = m_scrubber.scrubbed(messages.profiling);
  for (auto& [verifier, list] : messages.by_verifier) list = m_scrubber.scrubbed(list);
  return {.archive = m_archive,
          .run = m_run,
          .proposal = proposal,
          .times = m_times,
          .record = record_of(m_archive, proposal),
          .costs = costs == m_costs.end() ? ProposalCosts{} : costs->second,
          .settings = m_scrubber.scrubbed(proposal.settings),
          .messages = std::move(messages),
          .name = name_of(proposal),
          .folder = m_folders.at(index)};
}

bool has_source(const ProposalRow& proposal) {
  static const std::string none = sha256("");
  return !proposal.source_hash.empty() && proposal.source_hash != none;
}

std::string kernel_file(const ProposalRow& proposal) {
  return proposal.device == "cuda" ? "kernel.cu" : "kernel.cpp";
}

}  // namespace robust_kbench
