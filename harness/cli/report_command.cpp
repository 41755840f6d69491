#include <algorithm>
#include <filesystem>
#include <glob.h>
#include <iostream>
#include <iterator>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/report_options.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/record.hpp"
#include "core/text_file.hpp"
#include "process/escape.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* remedy = "; give files that --json has written, or directories of them";

std::vector<std::string> files_below(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(directory, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_regular_file() && at->path().extension() == ".json") files.push_back(at->path());
  }
  if (error) throw UserError("directory " + directory + " cannot be read: " + error.message());
  if (files.empty()) throw UserError("directory " + directory + " has no .json file" + remedy);
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> files_that_match(const std::string& pattern) {
  glob_t found{};
  const int failed = glob(pattern.c_str(), 0, nullptr, &found);
  const std::vector<std::string> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (failed != 0) throw UserError("no file is called " + pattern + remedy);
  return files;
}

// The record files that `given` names: files, directories with .json files anywhere below them,
// globs, and "-" for stdin. The files of one name are in the order of their paths. Throws UserError
// for a name that stands for no file.
std::vector<std::string> record_files(const std::vector<std::string>& given) {
  std::vector<std::string> files;
  for (const std::string& name : given) {
    const bool is_itself = name == "-" || fs::exists(name);
    for (const std::string& file : is_itself ? std::vector{name} : files_that_match(name)) {
      const std::vector<std::string> more =
          fs::is_directory(file) ? files_below(file) : std::vector{file};
      files.insert(files.end(), more.begin(), more.end());
    }
  }
  return files;
}

// Throws UserError for a file that --json has not written.
std::vector<KernelRecord> records_of(const std::string& file) {
  const std::optional<std::string> text =
      file == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : read_text(file);
  if (!text) throw UserError("record file " + file + " cannot be read" + remedy);
  try {
    return kernels_of(parse_json(*text));
  } catch (const std::exception& error) {
    throw UserError("record file " + file + " is malformed: " + escaped_line(error.what()) +
                    remedy);
  }
}

struct ReportCommandOptions {
  ReportOptions report;
  std::vector<std::string> files;
};

int run_report(const ReportCommandOptions& options) {
  std::vector<KernelRecord> records;
  for (const std::string& file : record_files(options.files)) {
    for (KernelRecord& record : records_of(file)) records.push_back(std::move(record));
  }
  Reporters reporters = reporters_of(options.report);
  reporters.begin({.kernels = records.size(), .configs_in_full = true});
  for (const KernelRecord& record : records) reporters.finished(record);
  reporters.end(records);
  return exit_code(records);
}

}  // namespace

Action add_report_command(const Program&, CommandLine& command) {
  const auto options = std::make_shared<ReportCommandOptions>();
  add_report_options(command, options->report);
  command
      .add_option("FILE", options->files,
                  "Record files as --json writes them, directories or globs of such; - is stdin")
      .required();
  return [options] { return run_report(*options); };
}

}  // namespace robust_kbench
