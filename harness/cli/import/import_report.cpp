#include "cli/import/import_report.hpp"

#include <algorithm>
#include <iterator>

#include "cli/shown_path.hpp"
#include "core/own_command.hpp"
#include "core/record.hpp"
#include "report/table.hpp"
#include "torch_task/package_facts.hpp"
#include "torch_task/package_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

bool is_refused(const ImportedSource& source) {
  return source.package.empty();
}

// How commands name the task.
std::string task_word(const ImportedSource& source) {
  std::error_code ignored;
  const fs::path usual = imported_tasks_directory() / source.package.filename();
  return fs::equivalent(usual, source.package, ignored) ? source.source.name
                                                        : path_word(source.package);
}

std::string report_table(const std::vector<ImportedSource>& imported) {
  Table table({"task", "state", "kind", "directions", "configs", "from"});
  for (const ImportedSource& source : imported) {
    const std::string from = shown_path(source.source.path);
    if (is_refused(source)) {
      table.add({source.source.name, "refused", "-", "-", "-", from});
      continue;
    }
    const PackageFacts facts = package_facts(source.package);
    table.add({facts.name, source.is_unchanged ? "unchanged" : "imported", facts.kind,
               fmt::format("{}", fmt::join(facts.directions, " ")), std::to_string(facts.points),
               from});
  }
  return table.console();
}

}  // namespace

std::string import_text(const std::vector<ImportedSource>& imported) {
  std::string text = report_table(imported);
  for (const ImportedSource& source : imported) {
    if (is_refused(source)) {
      text += fmt::format("\n{} is refused: {}; {}\n", shown_path(source.source.path),
                          source.reason, source.remedy);
    } else if (!source.notes.empty()) {
      text += fmt::format("\n{}:\n  {}\n", source.source.name, fmt::join(source.notes, "\n  "));
    }
  }
  if (imported.size() != 1 || is_refused(imported.front())) return text;
  const std::string word = task_word(imported.front());
  return text + fmt::format(
                    "\npackage: {}\nA kernel to start from, and its verdict:\n"
                    "  {} new {} my_kernel.cpp\n"
                    "  {} evaluate --task {} my_kernel.cpp\n",
                    imported.front().package.string(), own_command(), word, own_command(), word);
}

nlohmann::json import_json(const std::vector<ImportedSource>& imported) {
  nlohmann::json sources = nlohmann::json::array();
  for (const ImportedSource& source : imported) {
    nlohmann::json one{{"source", source.source.path},
                       {"name", source.source.name},
                       {"state", is_refused(source)    ? "refused"
                                 : source.is_unchanged ? "unchanged"
                                                       : "imported"},
                       {"seconds", source.seconds}};
    if (is_refused(source)) {
      one["reason"] = source.reason;
      one["remedy"] = source.remedy;
    } else {
      const PackageFacts facts = package_facts(source.package);
      one["package"] = source.package.string();
      one["kind"] = facts.kind;
      one["directions"] = facts.directions;
      one["configs"] = facts.points;
      one["notes"] = source.notes;
    }
    sources.push_back(std::move(one));
  }
  return {{"schema_version", record_schema_version}, {"sources", std::move(sources)}};
}

}  // namespace robust_kbench
