#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>

#include "agent/agent_program.hpp"
#include "command/command_line.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "device/cuda_driver.hpp"
#include "device/gpu_facts.hpp"
#include "evaluate/jobs.hpp"
#include "evaluate/kernels_of_others.hpp"
#include "evaluate/machine.hpp"
#include "evaluate/requirements.hpp"
#include "evaluate/several_gpus.hpp"
#include "evaluate/suite.hpp"
#include "process/escape.hpp"
#include "process/interrupt.hpp"
#include "runs/backends.hpp"
#include "runs/pilots/claimant.hpp"
#include "runs/pilots/evaluation_work.hpp"
#include "runs/pilots/pilot_loop.hpp"
#include "runs/pilots/recorded_backend.hpp"
#include "runs/pilots/run_directory.hpp"
#include "runs/pilots/source_tree.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::chrono::milliseconds look_for_folder_every{500};

struct PilotCommandOptions {
  std::string run_directory;
  std::string label;
  std::string device;
  int gpu = -1;
  int slots = 0;
  double patience_seconds = PilotLoopOptions().patience_seconds;
  std::string recorded;
};

void pilot_note(const std::string& text) {
  std::fprintf(stderr, "%s\n", escaped_line(text).c_str());
}

// Waits for a coordinator to make the folder, or to go on in one whose last run has ended. Throws
// UserError at the end of its patience.
nlohmann::json terms_of(const SharedFolder& folder, double patience_seconds,
                        const std::stop_token& stop) {
  const auto begin = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    try {
      if (folder.is_there() && !folder.read(run_directory::ended_file)) {
        const auto text = folder.read(run_directory::terms_file);
        nlohmann::json terms = parse_json_if_any(text.value_or(""));
        if (terms.is_object()) return terms;
      }
    } catch (const FolderTrouble& trouble) {
      pilot_note(trouble.what());
    }
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
    if (waited.count() > patience_seconds) {
      throw UserError(
          fmt::format("{} has no run after {:g} s; begin the run, or name the folder that its "
                      "command names, on "
                      "a disk that this machine sees",
                      folder.path().string(), patience_seconds));
    }
    std::this_thread::sleep_for(look_for_folder_every);
  }
  return nlohmann::json::object();
}

PilotFacts facts_of_pilot(const PilotCommandOptions& options, Device device, const Suite& suite,
                          const nlohmann::json& terms) {
  const bool gpu = device == Device::cuda;
  const MachineRecord machine = machine_record(gpu);
  PilotFacts facts{.name = new_pilot_name(),
                   .host = machine.host,
                   .process = getpid(),
                   .label = options.label,
                   .model = gpu ? gpu_facts().name : machine.cpu,
                   .rkb = machine.rkb,
                   .torch = machine.torch,
                   .driver = machine.driver,
                   .sources = source_tree_digest(suite.manifest()),
                   .slots = options.slots > 0 ? options.slots : usual_racing_jobs(device)};
  if (terms.value("sources", "") != facts.sources) {
    facts.refused =
        "its source tree is another than the coordinator's; build the same commit with the same "
        "tasks and kernels on both machines";
  }
  return facts;
}

// Makes the backend of a session on this machine, or one that answers from a file.
EvaluationWork::MakeBackend backends_of(const PilotCommandOptions& options, const Suite& suite,
                                        Device device) {
  return [&options, &suite, device](
             const EvaluationSession& session,
             const LocalBackendOptions& given) -> std::unique_ptr<EvaluationBackend> {
    if (!options.recorded.empty())
      return std::make_unique<RecordedBackend>(options.recorded, given);
    if (session.device != device) {
      throw UserError(
          fmt::format("the run is for {}, and this pilot for {}; start it by --device {}",
                      to_string(session.device), to_string(device), to_string(session.device)));
    }
    if (session.requires_sandbox) require_sandbox_for_others(suite.manifest(), device);
    LocalBackendOptions shown = given;
    shown.on_progress = [](const std::string& text) { pilot_note(text); };
    return local_backend(suite, device, session.request, shown);
  };
}

int run_pilot_command(const AgentProgram& program, const PilotCommandOptions& options) {
  InterruptStop interrupt;  // before any other thread starts
  if (options.gpu >= 0) take_gpu(options.gpu);
  const Suite suite(program.tasks, program.manifest_path);
  const Device device = options.device.empty()
                            ? (cuda_facts().missing.empty() ? Device::cuda : Device::cpu)
                            : parse_device(options.device);
  const SharedFolder folder(options.run_directory);
  const nlohmann::json terms = terms_of(folder, options.patience_seconds, interrupt.token());
  if (interrupt.signal() != 0) return 128 + interrupt.signal();
  PilotFacts facts = facts_of_pilot(options, device, suite, terms);
  if (!facts.refused.empty()) {
    Claimant(folder, facts).join();
    throw UserError(facts.refused);
  }
  EvaluationWork work(suite.manifest(), folder, facts.slots, backends_of(options, suite, device),
                      interrupt.token());
  const PilotLoopOptions loop{.lease_seconds = terms.value("lease_seconds", 60.0),
                              .patience_seconds = options.patience_seconds,
                              .on_note = pilot_note};
  while (true) {
    pilot_note(fmt::format("pilot {} on {}, {} at a time", facts.name, facts.model, facts.slots));
    const PilotEnd end = run_pilot(folder, facts, work, loop, interrupt.token());
    pilot_note("ends: " + end.reason);
    if (end.why == PilotEnd::Why::failed) return ExitCode::harness_error;
    if (end.why == PilotEnd::Why::ended) return ExitCode::pass;
    facts.name = new_pilot_name();
  }
}

}  // namespace

Action add_pilot_command(const AgentProgram& program, CommandLine& command) {
  const auto options = std::make_shared<PilotCommandOptions>();
  command
      .add_option("RUN_DIR", options->run_directory,
                  "The folder that --run-directory names on the coordinator's machine")
      .required();
  command.add_option("--label", options->label, "How records of the run call this pilot, too");
  add_common_option(command, "--device", options->device,
                    "default: cuda where there is a GPU, else cpu");
  command
      .add_option("--gpu", options->gpu, "The GPU that it uses, by its index; default: the first")
      .between(0, max_gpus - 1);
  command
      .add_option("--slots", options->slots,
                  "Candidates at a time; default: as many as a run on this machine would have")
      .between(1, 1000);
  command
      .add_option("--patience", options->patience_seconds,
                  "Seconds without the folder, or without a coordinator, after which it ends")
      .between(1, 1e6)
      .capture_default_str();
  command.add_option("--recorded", options->recorded).group("");
  return [program, options] { return run_pilot_command(program, *options); };
}

}  // namespace robust_kbench
