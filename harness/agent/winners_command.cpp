#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent_program.hpp"
#include "archive/archive.hpp"
#include "archive/best_proposals.hpp"
#include "archive/stored_record.hpp"
#include "command/command_line.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/record.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

std::vector<ProposalRow> winners_of(const Archive& archive, const std::string& run) {
  std::vector<ProposalRow> proposals;
  if (run.empty()) {
    for (const BestProposal& best : best_proposals(archive, "")) {
      proposals.push_back(best.proposal);
    }
  } else if (const RunRow row = archive.run(run); row.winner != 0) {
    proposals.push_back(archive.proposal(run, row.winner));
  }
  return proposals;
}

std::vector<KernelRecord> records_of_winners(const std::string& directory, const std::string& run) {
  const Archive archive(directory, Archive::Mode::read_only);
  std::vector<KernelRecord> records;
  for (const ProposalRow& proposal : winners_of(archive, run)) {
    if (auto record = record_of(archive, proposal)) records.push_back(*std::move(record));
  }
  if (!records.empty()) return records;
  throw UserError((run.empty() ? "archive " + directory : "run " + run) +
                  " has no winner with a record; `rkb archive list` shows what it has");
}

}  // namespace

Action add_winners_command(const AgentProgram&, CommandLine& command) {
  struct Options {
    std::string directory, file, run;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("ARCHIVE", options->directory).required();
  command.add_option("FILE", options->file).required();
  command.add_option("RUN", options->run);
  return [options] {
    const OutputFile file(options->file);
    file.write(record_file(records_of_winners(options->directory, options->run)));
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
