#include "archive/dataset_row.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "archive/stored_record.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// Characters of a kernel's name, as a part of a path.
constexpr std::size_t longest_name = 48;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_name &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

// What the proposer called it. Other names could lead out of the dataset.
std::string name_of(const ProposalRow& proposal) {
  const auto given = proposal.settings.find("name");
  if (given == proposal.settings.end() || !given->is_string()) return "kernel";
  const std::string name = given->get<std::string>();
  return is_name(name) ? name : "kernel";
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
      m_calls(archive.directory(), Database::Mode::read_only),
      m_proposals(archive.proposals(run.id)),
      m_costs(proposal_costs(m_calls.calls(run.id))) {
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
  ProposalMessages messages = proposal_messages(m_calls, m_run.id, proposal.id);
  messages.proposing = m_scrubber.scrubbed(messages.proposing);
  messages.profiling = m_scrubber.scrubbed(messages.profiling);
  for (auto& [verifier, list] : messages.by_verifier) list = m_scrubber.scrubbed(list);
  return {.archive = m_archive,
          .run = m_run,
          .proposal = proposal,
          .record = record_of(m_archive, proposal),
          .costs = costs == m_costs.end() ? ProposalCosts{} : costs->second,
          .settings = m_scrubber.scrubbed(proposal.settings),
          .messages = std::move(messages),
          .folder = m_folders.at(index)};
}

std::string kernel_file(const ProposalRow& proposal) {
  return proposal.device == "cuda" ? "kernel.cu" : "kernel.cpp";
}

}  // namespace robust_kbench
