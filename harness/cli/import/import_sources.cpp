#include "cli/import/import_sources.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <unistd.h>

#include "cli/agent_path.hpp"
#include "cli/ask_agent.hpp"
#include "cli/import/importer_process.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "process/temporary_directory.hpp"
#include "torch_task/package.hpp"
#include "torch_task/package_facts.hpp"
#include "torch_task/package_files.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::chrono::minutes listing_limit{2};  // a tree on a slow disk

ImportedSource refused(ImportSource source, std::string reason, std::string remedy) {
  return {.source = std::move(source), .reason = std::move(reason), .remedy = std::move(remedy)};
}

class Import {
 public:
  Import(const ImportPlace& place, const ImportRequest& request,
         const std::function<void(const ImportedSource&)>& told, const std::stop_token& stop)
      : m_place(place),
        m_request(request),
        m_told(told),
        m_stop(stop),
        m_process(place.program, place.toolchain, request, m_scratch.path()) {}

  std::vector<ImportedSource> run() {
    std::vector<ImportSource> sources = listed();
    if (m_place.on_listed) m_place.on_listed(sources.size());
    for (ImportSource& source : sources) {
      if (!settled_before(source)) m_waiting.push_back(std::move(source));
    }
    if (!m_waiting.empty()) require_agent(m_place.program.agent, "an import");
    while (!m_waiting.empty()) import_waiting();
    return std::move(m_imported);
  }

 private:
  std::vector<ImportSource> listed() {
    std::vector<ImportSource> sources;
    std::vector<std::string> arguments{"-m", "importer.sources"};
    add_request(m_request.sources, {m_request.name}, arguments);
    const ImporterEnd end = m_process.run(
        arguments, listing_limit,
        [&](const std::string& line) {
          const json source = parse_json_if_any(line);
          if (!source.is_object()) return;
          sources.push_back({source.at("source"), source.at("name"), source.at("made_with")});
        },
        m_stop);
    if (end.timed_out) throw UserError("the sources could not be listed within two minutes");
    if (end.exit_code != 0) throw UserError(end.last_line());
    if (sources.empty()) {
      throw UserError("there is no Python file below " + m_request.sources.front());
    }
    if (sources.front().made_with.at("torch").is_null()) {
      throw UserError(m_process.python() + " has no torch; " + m_process.remedy());
    }
    return sources;
  }

  // Refuses a source that needs no look for that, and finds one that was imported before.
  bool settled_before(const ImportSource& source) {
    if (std::ranges::find(m_place.linked, source.name) != m_place.linked.end()) {
      tell(refused(source, "the build has a task '" + source.name + "' of its own",
                   "give another name by --name"));
      return true;
    }
    const fs::path package = package_of(source);
    if (!fs::exists(package)) return false;
    try {
      const PackageFacts facts = package_facts(package);
      if (facts.made_with != source.made_with) return false;
      tell({.source = source, .package = package, .is_unchanged = true, .notes = facts.notes});
      return true;
    } catch (const UserError&) {
      return false;  // it is made anew
    }
  }

  void import_waiting() {
    std::vector<std::string> arguments{"-m", "importer", "--out", made().string()};
    std::vector<std::string> paths;
    std::vector<std::string> names;
    for (const ImportSource& source : m_waiting) {
      paths.push_back(source.path);
      names.push_back(source.name);
    }
    add_request(paths, names, arguments);
    const std::size_t waited = m_waiting.size();
    const std::chrono::duration<double> limit(m_request.seconds);
    const ImporterEnd end = m_process.run(
        arguments, std::chrono::ceil<std::chrono::milliseconds>(limit),
        [&](const std::string& line) { take(line); }, m_stop);
    if (m_waiting.empty()) return;
    const bool began = m_waiting.size() < waited;
    if (!end.timed_out && !began) m_process.require_torch(m_stop);
    ImportSource source = std::move(m_waiting.front());
    m_waiting.pop_front();
    if (end.timed_out) {
      tell(refused(std::move(source), fmt::format("it took more than {:g} s", m_request.seconds),
                   "give more by --timeout, or smaller shapes"));
    } else {
      tell(refused(std::move(source), "it ended the importer: " + end.text(),
                   "give it smaller shapes by --shrink, or leave out what ends Python"));
    }
  }

  // The output of a source is not trusted, since the source may print anything.
  void take(const std::string& line) {
    const json answer = parse_json_if_any(line);
    if (m_waiting.empty() || !answer.is_object()) return;
    if (answer.value("source", json()) != m_waiting.front().path) return;
    ImportedSource imported{.source = std::move(m_waiting.front())};
    m_waiting.pop_front();
    imported.seconds = answer.value("seconds", 0.0);
    if (const json refusal = answer.value("refused", json()); refusal.is_object()) {
      imported.reason = refusal.value("reason", "");
      imported.remedy = refusal.value("remedy", "");
    } else {
      const auto began = std::chrono::steady_clock::now();
      keep(imported);
      imported.seconds +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
    tell(std::move(imported));
  }

  // A package is checked before it goes to where tasks are found.
  void keep(ImportedSource& imported) const {
    const std::string file = imported.source.name + package_suffix;
    // Sources may write into the directory where their package is made, so the package is taken out
    // of it.
    const TemporaryDirectory own("imported");
    const fs::path taken = own.path() / file;
    try {
      std::error_code missing;
      fs::copy_file(made() / file, taken, missing);
      const Package package = read_package(taken);
      if (package.name != imported.source.name) {
        throw UserError("it is called '" + package.name + "'");
      }
      ask_agent(m_place.program.agent, {"complete-package", taken, own.path() / "unpacked"},
                "the package was not judged", m_stop);
      imported.notes = package_facts(taken).notes;
      const fs::path place = package_of(imported.source);
      const fs::path fresh = place.string() + "." + std::to_string(getpid());
      fs::create_directories(place.parent_path());
      fs::copy_file(taken, fresh, fs::copy_options::overwrite_existing);
      fs::rename(fresh, place);
      imported.package = place;
    } catch (const fs::filesystem_error& error) {
      throw UserError("packages cannot be written into '" + m_place.out.string() +
                      "': " + error.code().message() + "; name another directory by --out");
    } catch (const UserError& error) {
      imported.reason = std::string("what was made of it cannot be used: ") + error.what();
      imported.remedy = "please report it with the source";
    }
  }

  void add_request(const std::vector<std::string>& sources, const std::vector<std::string>& names,
                   std::vector<std::string>& arguments) const {
    for (const std::string& name : names) {
      if (!name.empty()) arguments.insert(arguments.end(), {"--name", name});
    }
    for (const std::string& config : m_request.configs) {
      arguments.insert(arguments.end(), {"--config", config});
    }
    arguments.insert(arguments.end(), {"--device", m_request.device});
    if (m_request.shrink) arguments.emplace_back("--shrink");
    if (m_request.out_arguments) arguments.emplace_back("--out-arguments");
    if (!m_request.workloads.empty()) {
      arguments.insert(arguments.end(), {"--workloads", m_request.workloads});
    }
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), sources.begin(), sources.end());
  }

  [[nodiscard]] fs::path made() const { return m_scratch.path() / "made"; }
  [[nodiscard]] fs::path package_of(const ImportSource& source) const {
    return m_place.out / (source.name + package_suffix);
  }

  void tell(ImportedSource imported) {
    m_imported.push_back(std::move(imported));
    m_told(m_imported.back());
  }

  const ImportPlace& m_place;
  const ImportRequest& m_request;
  const std::function<void(const ImportedSource&)>& m_told;
  std::stop_token m_stop;
  TemporaryDirectory m_scratch{"import"};
  ImporterProcess m_process;
  std::deque<ImportSource> m_waiting;
  std::vector<ImportedSource> m_imported;
};

}  // namespace

std::vector<ImportedSource> import_sources(const ImportPlace& place, const ImportRequest& request,
                                           const std::function<void(const ImportedSource&)>& told,
                                           const std::stop_token& stop) {
  return Import(place, request, told, stop).run();
}

}  // namespace robust_kbench
