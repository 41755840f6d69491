#include "agent/archive/proposal_text.hpp"

#include "agent/archive/archive_text.hpp"
#include "archive/lineage.hpp"
#include "archive/standing.hpp"
#include "archive/stored_record.hpp"
#include "process/escape.hpp"
#include "report/summary.hpp"
#include "report/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// Returns a line for a person, or nothing where the value is empty.
std::string line(const char* name, const std::string& value) {
  return value.empty() ? "" : fmt::format("{:<10} {}\n", name, escaped(value));
}

std::string path_of(const Archive& archive, const std::string& hash) {
  return hash.empty() ? "" : archive.content_path(hash).string();
}

std::string seconds_of(const ProposalRow& proposal) {
  std::string text;
  for (const auto& [stage, seconds] : proposal.seconds) {
    text += fmt::format("{}{} {:.2f} s", text.empty() ? "" : ", ", stage, seconds);
  }
  return text;
}

std::string facts_of(const Archive& archive, const ProposalRow& proposal) {
  std::string text =
      fmt::format("proposal {} of {}: {} at stage {}\n", proposal.id, proposal.run,
                  standing(archive.run(proposal.run), proposal), to_string(proposal.stage));
  text += line("class", proposal.reason_class) + line("reason", proposal.reason);
  text += line("proposer", proposal.proposer) + line("strategy", proposal.strategy);
  text += line("settings", proposal.settings.empty() ? "" : proposal.settings.dump());
  text += line("device", proposal.device) + line("gpu", proposal.gpu);
  text += line("toolkit", proposal.toolkit) + line("seconds", seconds_of(proposal));
  text += line("created", proposal.created_at);
  text += line("source", path_of(archive, proposal.source_hash));
  text += line("tokens", proposal.token_hash) + line("object", proposal.object_hash);
  return text + line("record", path_of(archive, proposal.record_hash));
}

Table lineage_table(const std::vector<ProposalRow>& proposals, std::int64_t id) {
  Table table({"id", "outcome", "over parent", "interval", "over seed", "strategy"});
  for (const ProposalRow& ancestor : lineage(proposals, id)) {
    table.add({std::to_string(ancestor.id), text_or_dash(std::string(to_string(ancestor.outcome))),
               speedup_text(ancestor.speedup), interval_text(ancestor),
               speedup_text(speedup_over_seed(proposals, ancestor.id)),
               text_or_dash(cell_of(ancestor.strategy))});
  }
  return table;
}

std::string record_text(const KernelRecord& record) {
  std::string text = "\n" + summary_table({record}).console();
  if (!record.mean_speedups.empty()) text += "\n" + timing_table(record).console();
  if (record.profile) {
    for (const Advice& advice : record.profile->advice) {
      text += fmt::format("\nadvice {}: {}\n", advice.rule, advice.text);
    }
  }
  return text + rejections({record});
}

}  // namespace

std::string proposal_text(const Archive& archive, const std::string& run, std::int64_t id) {
  const ProposalRow proposal = archive.proposal(run, id);
  std::string text = facts_of(archive, proposal);
  text += "\n" + lineage_table(archive.proposals(run), id).console();
  if (const auto record = record_of(archive, proposal)) text += record_text(*record);
  return text;
}

}  // namespace robust_kbench
