#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "agent/agent_program.hpp"
#include "command/fleet_options.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "evaluate/suite.hpp"
#include "process/json_lines.hpp"
#include "runs/pilots/pilot_fleet.hpp"
#include "runs/pilots/pilot_note.hpp"
#include "runs/pilots/source_tree.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::size_t longest_files_line = std::size_t{1} << 30;

// The files that `rkb` names by one line. It ends their evaluation by closing the pipe.
class AskedFiles {
 public:
  AskedFiles() : m_lines(longest_files_line) {
    while (!m_request && m_lines.read_some(STDIN_FILENO) > 0) m_request = m_lines.next();
    if (!m_request) throw HarnessError("nobody has said which files are evaluated");
    m_reader = std::jthread([this] {
      while (m_lines.read_some(STDIN_FILENO) > 0) continue;
      m_stop.request_stop();
    });
  }

  [[nodiscard]] const nlohmann::json& request() const { return *m_request; }
  [[nodiscard]] std::stop_token stop() const { return m_stop.get_token(); }

 private:
  JsonLines m_lines;
  std::optional<nlohmann::json> m_request;
  std::stop_source m_stop;
  std::jthread m_reader;
};

// Answers as lines, which threads may say.
class Answers {
 public:
  void say(const nlohmann::json& line) {
    const std::lock_guard lock(m_mutex);
    (void)send_json_line(STDOUT_FILENO, line);
  }

 private:
  std::mutex m_mutex;
};

void tell_event(Answers& answers, const nlohmann::json& event) {
  if (event.at("event") == "claimed") {
    answers.say({{"file", event.at("id")}, {"pilot", event.at("pilot")}});
  }
  const std::string note = note_of_pilots(event, "file");
  if (!note.empty()) answers.say({{"note", note}});
}

void answer_all(const AskedFiles& asked, Coordinator& coordinator, Answers& answers) {
  const nlohmann::json& request = asked.request();
  std::vector<std::int64_t> jobs;
  for (const nlohmann::json& file : request.at("files")) {
    nlohmann::json job = file;
    job["arguments"] = request.at("arguments");
    job["directory"] = request.at("directory");
    jobs.push_back(coordinator.post(
        {.job = {{"file", std::move(job)}}, .label = {{"id", jobs.size() + 1}, {"kind", "file"}}}));
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    nlohmann::json answer{{"file", i + 1}};
    try {
      answer["record"] = coordinator.await(jobs[i], asked.stop()).answer;
    } catch (const HarnessError& error) {
      answer["failed"] = error.what();
    }
    answers.say(answer);
  }
}

int run_evaluate_on_pilots(const AgentProgram& program, const FleetOptions& options) {
  std::signal(SIGPIPE, SIG_IGN);
  const AskedFiles asked;
  Answers answers;
  const Suite suite(program.tasks, program.manifest_path);
  try {
    PilotFleet fleet({.options = options}, source_tree_digest(suite.manifest()), asked.stop());
    fleet.listen([&](const nlohmann::json& event) { tell_event(answers, event); });
    const std::string device = asked.request().at("device");
    const std::string begun = fleet.start_pilots(parse_device(device));
    if (!begun.empty()) answers.say({{"note", begun}});
    answer_all(asked, fleet.coordinator(), answers);
    fleet.end_listening();
  } catch (const Cancelled&) {
    return ExitCode::harness_error;
  } catch (const UserError& error) {
    answers.say({{"error", error.what()}});
    return ExitCode::usage;
  }
  return ExitCode::pass;
}

}  // namespace

Action add_evaluate_on_pilots_command(const AgentProgram& program, CommandLine& command) {
  const auto options = std::make_shared<FleetOptions>();
  add_fleet_options(command, *options);
  return [program, options] { return run_evaluate_on_pilots(program, *options); };
}

}  // namespace robust_kbench
