#include "cli/pilot_evaluation.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "cli/agent_path.hpp"
#include "core/error.hpp"
#include "core/own_words.hpp"
#include "core/text_file.hpp"
#include "evaluate/evaluator.hpp"
#include "process/escape.hpp"
#include "process/json_lines.hpp"
#include "process/piped_process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// The record of a kernel with thousands of cases has some million bytes.
constexpr std::size_t longest_record_line = std::size_t{256} << 20;

// Options beside those of pilots that are about this machine, or about results.
const std::vector<std::string> options_of_here{"--gpus",     "--jobs", "--json",   "--junit",
                                               "--csv",      "--html", "--report", "--fail-if",
                                               "--manifest", "--color"};

bool is_of_here(const std::string& option) {
  const std::vector<std::string>& fleet = fleet_option_names();
  return std::ranges::find(fleet, option) != fleet.end() ||
         std::ranges::find(options_of_here, option) != options_of_here.end();
}

KernelRecord without_answer(const KernelSource& kernel, Judgement judgement) {
  return {.path = kernel.sources.front(),
          .name = kernel.name,
          .entry = kernel.entry,
          .device = kernel.device,
          .judgement = std::move(judgement)};
}

// The coordinator, as a process that ends when this object does.
class CoordinatorProcess {
 public:
  CoordinatorProcess(const std::string& manifest, const FleetOptions& fleet,
                     const nlohmann::json& request) {
    const std::filesystem::path program = agent_path();
    require_agent(program, "--workers");
    std::vector<std::string> command{program.string(), "--manifest", manifest,
                                     "evaluate-on-pilots"};
    const std::vector<std::string> words = words_of(fleet);
    command.insert(command.end(), words.begin(), words.end());
    m_process = start_piped(command);
    (void)send_json_line(m_process.requests.get(), request);
  }
  ~CoordinatorProcess() {
    end();
    int status = 0;
    waitpid(m_process.pid, &status, 0);
  }
  CoordinatorProcess(const CoordinatorProcess&) = delete;
  CoordinatorProcess& operator=(const CoordinatorProcess&) = delete;

  // None: it has ended.
  std::optional<nlohmann::json> next() {
    while (true) {
      if (auto line = m_lines.next()) return line;
      if (m_lines.read_some(m_process.answers.get()) == 0) return std::nullopt;
    }
  }
  // Any thread may call this.
  void end() { shutdown(m_process.requests.get(), SHUT_WR); }

 private:
  PipedProcess m_process;
  JsonLines m_lines{longest_record_line};
};

nlohmann::json request_for_pilots(const std::vector<KernelSource>& kernels,
                                  const EvaluateCommandOptions& options) {
  nlohmann::json request{{"directory", std::filesystem::current_path().string()},
                         {"device", to_string(kernels.front().device)},
                         {"arguments", words_for_pilots(own_words(), options.kernels)},
                         {"files", nlohmann::json::array()}};
  for (const KernelSource& kernel : kernels) {
    const std::string& path = kernel.sources.front();
    request["files"].push_back({{"path", path}, {"text", read_text(path).value_or("")}});
  }
  return request;
}

KernelRecord record_of_answer(const KernelSource& kernel, const nlohmann::json& answer) {
  if (answer.contains("failed")) {
    return without_answer(kernel, {.verdict = Verdict::harness_error,
                                   .reason = escaped(answer["failed"].get<std::string>())});
  }
  KernelRecord record = kernels_of({{"schema_version", record_schema_version},
                                    {"kernels", nlohmann::json::array({answer.at("record")})}})
                            .at(0);
  record.name = kernel.name;
  return record;
}

// Figures of several models stand in one table, so their reader has to be told.
void tell_models(const std::vector<KernelRecord>& records) {
  std::map<std::string, int> models;
  for (const KernelRecord& record : records) {
    if (!record.machine) continue;
    ++models[record.gpu.empty() ? record.machine->cpu : record.gpu];
  }
  if (models.size() < 2) return;
  std::vector<std::string> words;
  for (const auto& [model, count] : models) words.push_back(fmt::format("{} on {}", count, model));
  std::fprintf(
      stderr,
      "kernels were evaluated on devices of several models, %s; compare those of one alone\n",
      escaped_line(fmt::format("{}", fmt::join(words, ", "))).c_str());
}

}  // namespace

std::vector<std::string> words_for_pilots(std::vector<std::string> words,
                                          const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const auto last = std::find(words.rbegin(), words.rend(), file);
    if (last != words.rend()) words.erase(std::next(last).base());
  }
  std::vector<std::string> kept;
  bool is_named = false;  // the command, whose name is the first word that is no option of rkb's
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!is_named && word == "evaluate") {
      is_named = true;
    } else if (is_of_here(word)) {
      ++i;  // its value
    } else if (!is_of_here(word.substr(0, word.find('='))) && word != "--quiet") {
      kept.push_back(word);
    }
  }
  return kept;
}

std::vector<KernelRecord> evaluate_on_pilots(const std::string& manifest,
                                             const std::vector<KernelSource>& kernels,
                                             const EvaluateCommandOptions& options,
                                             Reporters& reporters, const InterruptStop& interrupt) {
  std::vector<KernelRecord> records;
  for (const KernelSource& kernel : kernels) {
    records.push_back(
        without_answer(kernel, {.verdict = Verdict::skipped, .reason = std::string(cancelled)}));
  }
  CoordinatorProcess coordinator(manifest, options.fleet, request_for_pilots(kernels, options));
  const std::stop_callback ending(interrupt.token(), [&] { coordinator.end(); });
  std::size_t answered = 0;
  while (answered < kernels.size()) {
    const std::optional<nlohmann::json> line = coordinator.next();
    if (!line) break;
    if (line->contains("error")) throw UserError((*line)["error"].get<std::string>());
    if (line->contains("note")) {
      std::fprintf(stderr, "%s\n", escaped_line((*line)["note"].get<std::string>()).c_str());
      continue;
    }
    const std::size_t place = line->at("file").get<std::size_t>() - 1;
    const KernelSource& kernel = kernels.at(place);
    if (line->contains("pilot")) {
      reporters.progress(kernel.sources.front(), "on " + line->at("pilot").get<std::string>(), 0);
      continue;
    }
    records[place] = record_of_answer(kernel, *line);
    reporters.finished(records[place]);
    ++answered;
  }
  if (answered < kernels.size() && interrupt.signal() == 0) {
    throw HarnessError("the coordinator of pilots has ended before its time; its message is above");
  }
  tell_models(records);
  return records;
}

}  // namespace robust_kbench
