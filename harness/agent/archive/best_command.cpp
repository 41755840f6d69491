#include <cstdio>
#include <memory>
#include <vector>

#include "agent/archive/archive_commands.hpp"
#include "agent/archive/archive_json.hpp"
#include "agent/archive/archive_option.hpp"
#include "agent/archive/archive_text.hpp"
#include "archive/best_proposals.hpp"
#include "archive/standing.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "report/summary.hpp"
#include "report/table.hpp"
#include "tensor/task_registry.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

void print_best(const Archive& archive, const std::string& task) {
  const std::vector<BestProposal> all = best_proposals(archive, task);
  if (all.empty()) {
    std::printf("no kernel was accepted yet\n");
    return;
  }
  Table table({"entry", "device", "run", "proposal", "kernel time", "over seed", "is", "source"});
  for (const BestProposal& best : all) {
    const ProposalRow& proposal = best.proposal;
    const std::string device(to_string(best.run.device));
    table.add({best.run.entry.name(), proposal.gpu.empty() ? device : proposal.gpu, best.run.id,
               std::to_string(proposal.id),
               best.kernel_us ? format_time(*best.kernel_us) : std::string("-"),
               speedup_text(best.speedup), standing(best.run, proposal),
               archive.content_path(proposal.source_hash).string()});
  }
  std::printf("%s", table.console().c_str());
}

}  // namespace

Action add_archive_best_command(const Program& program, CommandLine& command) {
  struct Options {
    std::string directory, task, json;
  };
  const auto options = std::make_shared<Options>();
  add_common_option(command, "--archive", options->directory);
  add_common_option(command, "--task", options->task, "default: all");
  add_common_option(command, "--json", options->json);
  return [program, options] {
    const OutputFile json(options->json);
    // An unknown task is an error, and not an empty table.
    if (!options->task.empty()) (void)program.tasks.find(options->task);
    const Archive archive(archive_directory(program, options->directory), Archive::Mode::read_only);
    print_best(archive, options->task);
    write_archive_json(json, best_json(archive, options->task));
    return ExitCode::pass;
  };
}

}  // namespace robust_kbench
