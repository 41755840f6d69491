#include "cli/solutions/read_solutions.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <deque>

#include "cli/import/import_sources.hpp"
#include "cli/import/importer_process.hpp"
#include "cli/shown_path.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "process/temporary_directory.hpp"
#include "tensor/task_registry.hpp"
#include "torch_task/package_files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Strings = std::vector<std::string>;

std::string absolute_file(const std::string& path, const char* option) {
  if (!fs::is_regular_file(path)) {
    throw UserError(fmt::format("{} {} is no file; name a Python file", option, path));
  }
  return fs::absolute(path).lexically_normal();
}

Strings files_of(const Strings& paths, const std::string& problem) {
  Strings files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(absolute_file(path, "--solution"));
      continue;
    }
    Strings below;
    for (const auto& entry : fs::directory_iterator(path)) {
      if (entry.path().extension() == ".py")
        below.push_back(absolute_file(entry.path(), "--solution"));
    }
    std::erase(below, problem);
    if (below.empty()) throw UserError("--solution " + path + " has no Python file");
    std::ranges::sort(below);
    files.insert(files.end(), below.begin(), below.end());
  }
  return files;
}

fs::path tasks_directory() {
  fs::path usual = imported_tasks_directory();
  if (usual.empty()) {
    throw UserError(
        "imported tasks go below a home directory, and HOME is not set; set "
        "ROBUST_KBENCH_TASKS to a directory");
  }
  return fs::absolute(usual);
}

// Makes the task's name of a file's: "problem_40_layernorm" of "40_LayerNorm.py". No task of a
// build is called so.
std::string task_of_problem(const fs::path& problem) {
  std::string name = problem.stem().string().starts_with("problem") ? "" : "problem_";
  for (const char c : problem.stem().string()) {
    const bool is_kept = std::isalnum(static_cast<unsigned char>(c)) != 0;
    name += is_kept ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '_';
  }
  return name;
}

// A problem, and the solutions that wait to be read.
class Reading {
 public:
  Reading(const ImporterProgram& importer, const Suite& suite, const SolutionRequest& request,
          std::stop_token stop)
      : m_importer(importer),
        m_suite(suite),
        m_device(request.device),
        m_limit(std::chrono::ceil<std::chrono::milliseconds>(
            std::chrono::duration<double>(request.seconds))),
        m_problem(absolute_file(request.problem, "--problem")),
        m_stop(std::move(stop)),
        m_import{.sources = {m_problem},
                 .name = task_of_problem(m_problem),
                 .device = "cpu",
                 .seconds = request.seconds} {
    const Strings files = files_of(request.solutions, m_problem);
    m_waiting.assign(files.begin(), files.end());
  }

  ReadSolutions run() {
    import_problem();
    // The sandbox shows what the request names.
    m_import.sources.push_back(m_read.package);
    m_import.sources.insert(m_import.sources.end(), m_waiting.begin(), m_waiting.end());
    const ImporterProcess process(m_importer, m_suite.manifest().toolchain, m_import,
                                  m_scratch.path());
    while (!m_waiting.empty()) read_waiting(process);
    return std::move(m_read);
  }

 private:
  void import_problem() {
    ImportPlace place{.program = m_importer,
                      .toolchain = m_suite.manifest().toolchain,
                      .out = tasks_directory(),
                      .linked = {}};
    for (const Task* task : m_suite.tasks().tasks()) place.linked.push_back(task->name);
    const std::vector<ImportedSource> imported = import_sources(
        place, m_import, [](const ImportedSource&) {}, m_stop);
    const ImportedSource& problem = imported.at(0);
    if (problem.package.empty()) {
      throw UserError(fmt::format("--problem {} is refused: {}; {}", shown_path(m_problem),
                                  problem.reason, problem.remedy));
    }
    m_read.package = problem.package;
    m_task = problem.source.name;
  }

  void read_waiting(const ImporterProcess& process) {
    Strings arguments{
        "-m", "importer.solutions", "--package", m_read.package, "--out", made(), "--", m_problem};
    arguments.insert(arguments.end(), m_waiting.begin(), m_waiting.end());
    const ImporterEnd end = process.run(
        arguments, m_limit, [&](const std::string& line) { take(line); }, m_stop);
    if (m_waiting.empty()) return;
    const std::string path = m_waiting.front();
    m_waiting.pop_front();
    if (end.timed_out) {
      refuse(path, "it took longer than a solution may", "see what its constructor does");
    } else {
      refuse(path, "it ended the importer: " + end.errors, "leave out what ends Python");
    }
  }

  // The output of a solution is not trusted, since the solution may print anything.
  void take(const std::string& line) {
    const json answer = parse_json_if_any(line);
    if (m_waiting.empty() || !answer.is_object()) return;
    if (answer.value("source", json()) != m_waiting.front()) return;
    const std::string path = m_waiting.front();
    m_waiting.pop_front();
    try {
      if (answer.contains("refused")) {
        const json& refused = answer.at("refused");
        refuse(path, refused.at("reason"), refused.at("remedy"));
      } else {
        m_read.kernels.push_back(kernel_of(path, answer));
      }
    } catch (const json::exception& error) {
      refuse(path, std::string("the importer's answer is malformed: ") + error.what(),
             "please report it with the source");
    }
  }

  KernelSource kernel_of(const std::string& path, const json& answer) const {
    const fs::path place = tasks_directory() / "solutions" / m_task / fs::path(path).stem();
    fs::create_directories(place);
    Strings sources;
    for (const std::string name : answer.at("files")) {
      const fs::path file = fs::path(name).filename();
      fs::copy_file(fs::path(made()) / fs::path(path).stem() / file, place / file,
                    fs::copy_options::overwrite_existing);
      sources.push_back(place / file);
    }
    KernelSource kernel = m_suite.loose_kernel(m_read.package, "forward", m_device, sources.at(0));
    kernel.name = fs::path(path).stem();
    kernel.sources.insert(kernel.sources.end(), sources.begin() + 1, sources.end());
    kernel.fast_math = false;  // load_inline leaves it to the solution's own flags
    answer.at("options").get_to(kernel.options);
    answer.at("libraries").get_to(kernel.libraries);
    kernel.solution = SolutionRecord{.problem = m_problem, .file = path, .glue = answer.at("glue")};
    return kernel;
  }

  void refuse(const std::string& path, std::string reason, std::string remedy) {
    m_read.refused.push_back({path, std::move(reason), std::move(remedy)});
  }

  [[nodiscard]] std::string made() const { return m_scratch.path() / "made"; }

  const ImporterProgram& m_importer;
  const Suite& m_suite;
  std::string m_device;
  std::chrono::milliseconds m_limit;
  std::string m_problem;
  std::stop_token m_stop;
  ImportRequest m_import;
  TemporaryDirectory m_scratch{"solutions"};
  std::deque<std::string> m_waiting;
  std::string m_task;
  ReadSolutions m_read;
};

}  // namespace

ReadSolutions read_solutions(const ImporterProgram& importer, const Suite& suite,
                             const SolutionRequest& request, const std::stop_token& stop) {
  return Reading(importer, suite, request, stop).run();
}

std::string refusals_text(const std::vector<RefusedSolution>& refused) {
  std::string text;
  for (const RefusedSolution& solution : refused) {
    text += fmt::format("{} is refused: {}; {}\n", shown_path(solution.path), solution.reason,
                        solution.remedy);
  }
  return text;
}

}  // namespace robust_kbench
