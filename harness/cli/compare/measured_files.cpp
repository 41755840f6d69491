#include "cli/compare/measured_files.hpp"

#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>

#include "cli/agent_path.hpp"
#include "cli/ask_agent.hpp"
#include "cli/compare/benchmark_files.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/record.hpp"
#include "core/text_file.hpp"
#include "process/escape.hpp"
#include "process/temporary_directory.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* comparable =
    "; give a file that --json has written, Google Benchmark's JSON, or an archive";

// An archive, and one of its runs or an empty name.
struct ArchiveName {
  std::string directory;
  std::string run;
};

std::optional<ArchiveName> archive_name(const std::string& name) {
  const auto is_archive = [](const std::string& directory) {
    return fs::exists(fs::path(directory) / "archive.sqlite");
  };
  if (is_archive(name)) return ArchiveName{.directory = name, .run = {}};
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos || !is_archive(name.substr(0, colon))) return std::nullopt;
  return ArchiveName{.directory = name.substr(0, colon), .run = name.substr(colon + 1)};
}

std::vector<Measured> measured_records(const nlohmann::json& file) {
  std::vector<Measured> kernels;
  for (const KernelRecord& record : kernels_of(file)) kernels.push_back(measured(record));
  return kernels;
}

// Archives are the agent's to read.
std::vector<Measured> kernels_of_archive(const ArchiveName& name) {
  require_agent(agent_path(), "an archive");
  const TemporaryDirectory own("winners");
  const std::string file = own.path() / "records.json";
  std::vector<std::string> words{"winners", name.directory, file};
  if (!name.run.empty()) words.push_back(name.run);
  ask_agent(agent_path(), words, name.directory + " cannot be read");
  return measured_records(parse_json(*read_text(file)));
}

std::vector<Measured> kernels_of_json(const nlohmann::json& file) {
  if (file.contains("kernels")) return measured_records(file);
  if (file.contains("benchmarks")) return google_benchmarks_of(file);
  if (file.contains("cases")) return runtime_cases_of(file);
  throw UserError("it has none of the members kernels, benchmarks and cases");
}

}  // namespace

bool names_measurements(const std::string& name) {
  return name == "-" || fs::exists(name) || archive_name(name).has_value();
}

ComparedSide measurements_of(const std::string& name) {
  if (const std::optional<ArchiveName> archive = archive_name(name)) {
    return {.name = name, .kernels = kernels_of_archive(*archive)};
  }
  const std::optional<std::string> text =
      name == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : read_text(name);
  if (!text) throw UserError(name + " cannot be read" + comparable);
  try {
    return {.name = name == "-" ? "stdin" : name, .kernels = kernels_of_json(parse_json(*text))};
  } catch (const std::exception& error) {
    throw UserError(name + " cannot be compared: " + escaped_line(error.what()) + comparable);
  }
}

}  // namespace robust_kbench
