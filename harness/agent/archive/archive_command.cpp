#include <memory>

#include "agent/agent_program.hpp"
#include "agent/archive/archive_commands.hpp"
#include "core/error.hpp"
#include "core/own_command.hpp"

namespace robust_kbench {

Action add_archive_command(const AgentProgram& program, CommandLine& command) {
  const auto selected = std::make_shared<Action>();
  const auto add = [&](const char* name, const char* what, auto add_command) {
    CommandLine added = command.add_command(name, what);
    added.when_given([selected, run = add_command(program, added)] { *selected = run; });
  };
  add("list", "List the runs", add_archive_list_command);
  add("show", "Show a run's proposals, or one proposal", add_archive_show_command);
  add("report", "Write a run as a page: progress, parents, code, refusals, costs",
      add_archive_report_command);
  add("costs", "Show what the language models of a run cost", add_archive_costs_command);
  add("diff", "Compare a proposal's source with its parent's or another's",
      add_archive_diff_command);
  add("export", "Print a run for other programs", add_archive_export_command);
  add("best", "Show the fastest accepted kernel of each entry and device",
      add_archive_best_command);
  add("adopt", "Make a proposal one of the registered kernels of its entry",
      add_archive_adopt_command);
  add("generalise", "Time winners on configs that their search has seen, and on others",
      add_archive_generalise_command);
  return [selected] {
    if (*selected) return (*selected)();
    throw UserError("a command of `rkb archive` is missing; `" + own_command() +
                    " archive --help` lists them");
  };
}

}  // namespace robust_kbench
