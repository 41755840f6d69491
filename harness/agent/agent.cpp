#include "agent/agent.hpp"

#include <map>
#include <string_view>

#include "agent/agent_program.hpp"
#include "command/agent_commands.hpp"
#include "command/command_program.hpp"
#include "core/cache_directory.hpp"
#include "core/installation.hpp"
#include "core/program.hpp"

namespace robust_kbench {
namespace {

using AddCommand = Action (*)(const AgentProgram&, CommandLine&);

const std::map<std::string_view, AddCommand> add_functions{
    {"serve", add_serve_command},     {"filter", add_filter_command},
    {"evolve", add_evolve_command},   {"pilot", add_pilot_command},
    {"tune", add_tune_command},       {"translate", add_translate_command},
    {"verify", add_verify_command},   {"tune-verifier", add_tune_verifier_command},
    {"archive", add_archive_command},
};

int run_agent(int argc, char** argv, const std::vector<Task>& tasks, const HelperProgram& helper,
              const PagePaths& page) {
  CommandProgram rkb(tasks);
  const AgentProgram program{rkb.program(), helper, page};
  const auto add = [&](const char* name, const char* what, AddCommand add_command) {
    return rkb.add(name, what, [&](CommandLine& command) { return add_command(program, command); });
  };
  for (const AgentCommand& command : agent_commands) {
    add(command.name, command.what, add_functions.at(command.name));
  }
  add("complete-package", "", add_complete_package_command).hide();
  add("evaluation-backend", "", add_evaluation_backend_command).hide();
  add("winners", "", add_winners_command).hide();
  add("evaluate-on-pilots", "", add_evaluate_on_pilots_command).hide();
  return rkb.run(argc, argv);
}

}  // namespace

int agent_main(int argc, char** argv, const std::vector<Task>& tasks, const HelperPaths& helper,
               const PagePaths& page) {
  return run_program("rkb", [&] {
    HelperProgram program{helper.sources, helper.venv, helper.python};
    if (const auto files = installed_files(); !files.empty()) {
      program.sources = files / "llm";
      program.venv = cache_directory() / "llm_venv";
    }
    return run_agent(argc, argv, tasks, program, places_of_page(page));
  });
}

}  // namespace robust_kbench
