#include <cstdio>
#include <memory>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_option.hpp"
#include "archive/archive.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/line_diff.hpp"

namespace robust_kbench {
namespace {

struct DiffCommandOptions {
  std::string directory, run;
  int id = 0;
  int other = 0;  // 0: the parent
};

std::string proposal_name(const ProposalRow& proposal) {
  return proposal.run + "/" + std::to_string(proposal.id);
}

std::string source_of(const Archive& archive, const ProposalRow& proposal) {
  if (!proposal.source_hash.empty()) return archive.content(proposal.source_hash);
  throw UserError("proposal " + proposal_name(proposal) + " has no source: " + proposal.reason +
                  "; name another");
}

ProposalRow other_of(const Archive& archive, const ProposalRow& proposal, int other) {
  if (other != 0) return archive.proposal(proposal.run, other);
  if (!proposal.parents.empty()) return archive.proposal(proposal.run, proposal.parents.front());
  throw UserError("proposal " + proposal_name(proposal) +
                  " has no parent; name the proposal to compare it with as OTHER");
}

int print_diff(const Archive& archive, const DiffCommandOptions& options) {
  const ProposalRow proposal = archive.proposal(options.run, options.id);
  const ProposalRow other = other_of(archive, proposal, options.other);
  const std::string diff = unified_diff(proposal_name(other), source_of(archive, other),
                                        proposal_name(proposal), source_of(archive, proposal));
  std::printf("%s", diff.c_str());
  return ExitCode::pass;
}

}  // namespace

Action add_archive_diff_command(const Program& program, CommandLine& command) {
  const auto options = std::make_shared<DiffCommandOptions>();
  add_common_option(command, "--archive", options->directory);
  command.add_option("RUN", options->run, "A run, as `rkb archive list` names it").required();
  command.add_option("ID", options->id, "A proposal of it").required();
  command.add_option("OTHER", options->other,
                     "The proposal to compare it with; default: its first parent");
  return [program, options] {
    return print_diff({archive_directory(program, options->directory), Archive::Mode::read_only},
                      *options);
  };
}

}  // namespace robust_kbench
