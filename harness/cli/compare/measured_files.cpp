#include "cli/compare/measured_files.hpp"

#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>

#include "archive/archive.hpp"
#include "archive/best_proposals.hpp"
#include "archive/stored_record.hpp"
#include "cli/compare/benchmark_files.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/record.hpp"
#include "core/text_file.hpp"
#include "process/escape.hpp"

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

std::vector<ProposalRow> proposals_of(const Archive& archive, const std::string& run) {
  std::vector<ProposalRow> proposals;
  if (run.empty()) {
    for (const BestProposal& best : best_proposals(archive, "")) {
      proposals.push_back(best.proposal);
    }
  } else if (const RunRow row = archive.run(run); row.winner != 0) {
    proposals.push_back(archive.proposal(run, row.winner));
  }
  return proposals;
}

std::vector<Measured> kernels_of_archive(const ArchiveName& name) {
  const Archive archive(name.directory, Archive::Mode::read_only);
  std::vector<Measured> kernels;
  for (const ProposalRow& proposal : proposals_of(archive, name.run)) {
    const std::optional<KernelRecord> record = record_of(archive, proposal);
    if (record) kernels.push_back(measured(*record));
  }
  if (kernels.empty()) {
    throw UserError((name.run.empty() ? "archive " + name.directory : "run " + name.run) +
                    " has no winner with a record; `rkb archive list` shows what it has");
  }
  return kernels;
}

std::vector<Measured> kernels_of_json(const nlohmann::json& file) {
  if (file.contains("kernels")) {
    std::vector<Measured> kernels;
    for (const KernelRecord& record : kernels_of(file)) kernels.push_back(measured(record));
    return kernels;
  }
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
