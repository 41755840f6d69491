#include "cli/import/import_report.hpp"

#include <algorithm>
#include <map>

#include "cli/shown_path.hpp"
#include "core/counted.hpp"
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

// Returns the name that commands use for the task.
std::string task_word(const ImportedSource& source) {
  std::error_code ignored;
  const fs::path usual = imported_tasks_directory() / source.package.filename();
  return fs::equivalent(usual, source.package, ignored) ? source.source.name
                                                        : path_word(source.package);
}

// Returns what the import said of each direction, or nothing where it said nothing.
using Claims = std::map<std::string, nlohmann::json>;

Claims claims_of(const nlohmann::json& precision) {
  return precision.is_object() ? precision.get<Claims>() : Claims();
}

// Returns whether torch's own result passes in all directions.
std::string verdict_on_torch(const nlohmann::json& precision) {
  const Claims claims = claims_of(precision);
  if (claims.empty()) return "-";
  const bool passes = std::ranges::all_of(
      claims, [](const auto& of) { return of.second.at("passes").template get<bool>(); });
  return passes ? "passes" : "fails";
}

// Names results that should not pass and do.
std::vector<std::string> accepted_by(const nlohmann::json& claims) {
  std::vector<std::string> names;
  for (const char* kind : {"arithmetic", "constants"}) {
    const auto more = claims.at("accepted").at(kind).get<std::vector<std::string>>();
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

std::string accepted_text(const nlohmann::json& precision) {
  std::vector<std::string> names;
  for (const auto& [direction, claims] : claims_of(precision)) {
    for (std::string& name : accepted_by(claims)) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ", "));
}

// Returns a text such as "y errs by 2.1e-07 of itself, and 5.4e-07 is allowed".
std::string error_text(const nlohmann::json& output) {
  const auto name = output.at("output").get<std::string>();
  if (output.at("error").is_null()) {
    return fmt::format("{} takes {:.0f} % of its limit", name,
                       100 * output.at("share").get<double>());
  }
  return fmt::format("{} errs by {:.2g} of itself, and {:.2g} is allowed", name,
                     output.at("error").get<double>(), output.at("limit").get<double>());
}

// Returns two lines, of torch's own result and of what the task tells apart from it.
std::string claims_text(const std::string& direction, const nlohmann::json& claims) {
  std::string text = fmt::format("  {}: ", direction);
  const auto cases = claims.at("cases").get<std::size_t>();
  if (cases == 0) return text + "no case is quick enough to judge torch's own result\n";
  if (claims.at("passes")) {
    std::vector<std::string> errors;
    for (const nlohmann::json& output : claims.at("outputs")) errors.push_back(error_text(output));
    text += fmt::format("torch's own result passes {}{}{}", counted(cases, "case"),
                        errors.empty() ? "" : "; ", fmt::join(errors, "; "));
  } else {
    text +=
        fmt::format("torch's own result fails {}: {}", claims.at("failed_on").get<std::string>(),
                    claims.at("reason").get<std::string>());
  }
  if (const auto left_out = claims.at("left_out").get<std::size_t>(); left_out > 0) {
    text += fmt::format(" ({} would take long)", counted(left_out, "more case"));
  }
  auto rejected = claims.at("rejected").at("arithmetic").get<std::vector<std::string>>();
  if (!claims.at("rejected").at("constants").empty()) rejected.emplace_back("constant results");
  const std::vector<std::string> accepted = accepted_by(claims);
  if (!rejected.empty()) text += fmt::format("\n    rejected: {}", fmt::join(rejected, ", "));
  if (!accepted.empty()) {
    text += fmt::format("\n    ACCEPTED, so the task cannot tell them apart: {}",
                        fmt::join(accepted, ", "));
  }
  return text + "\n";
}

// The table of a tree says enough of tasks that are as they should be.
bool is_told_in_full(const ImportedSource& source, const PackageFacts& facts, bool is_only) {
  return is_only || (!source.is_unchanged && (verdict_on_torch(facts.precision) == "fails" ||
                                              accepted_text(facts.precision) != "-"));
}

std::string report_table(const std::vector<ImportedSource>& imported) {
  Table table({"task", "state", "kind", "directions", "configs", "torch", "accepts", "from"});
  for (const ImportedSource& source : imported) {
    const std::string from = shown_path(source.source.path);
    if (is_refused(source)) {
      table.add({source.source.name, "refused", "-", "-", "-", "-", "-", from});
      continue;
    }
    const PackageFacts facts = package_facts(source.package);
    table.add({facts.name, source.is_unchanged ? "unchanged" : "imported", facts.kind,
               fmt::format("{}", fmt::join(facts.directions, " ")), std::to_string(facts.points),
               verdict_on_torch(facts.precision), accepted_text(facts.precision), from});
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
      continue;
    }
    const PackageFacts facts = package_facts(source.package);
    std::string told;
    if (is_told_in_full(source, facts, imported.size() == 1)) {
      for (const auto& [direction, claims] : claims_of(facts.precision)) {
        told += claims_text(direction, claims);
      }
    }
    for (const std::string& note : source.notes) told += "  " + note + "\n";
    if (!told.empty()) text += fmt::format("\n{}:\n{}", source.source.name, told);
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
      one["precision"] = facts.precision;
    }
    sources.push_back(std::move(one));
  }
  return {{"schema_version", record_schema_version}, {"sources", std::move(sources)}};
}

}  // namespace robust_kbench
