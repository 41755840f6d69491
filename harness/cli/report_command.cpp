#include <algorithm>
#include <filesystem>
#include <glob.h>
#include <iostream>
#include <iterator>
#include <optional>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/report_options.hpp"
#include "command/common_options.hpp"
#include "core/error.hpp"
#include "core/manifest.hpp"
#include "core/manifest_places.hpp"
#include "core/parse_json.hpp"
#include "core/record.hpp"
#include "core/scrub.hpp"
#include "core/text_file.hpp"
#include "process/escape.hpp"
#include "report/history_page.hpp"
#include "report/html_reporter.hpp"

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
  std::string html;  // a file; empty: none
  bool history = false;
  std::vector<std::string> files;
};

// Paths below these and a few usual directories are left out of a page.
Scrubber page_scrubber(const Program& program) {
  const fs::path manifest = manifest_file(program.manifest_path);
  return usual_scrubber(fs::current_path(), fs::exists(manifest)
                                                ? manifest_places(load_manifest(manifest))
                                                : std::vector<std::string>());
}

int run_history(const Program& program, const PagePaths& page,
                const ReportCommandOptions& options) {
  if (!options.report.json.empty() || !options.report.junit.empty()) {
    throw UserError("--history prints steps and no records; leave --json and --junit out");
  }
  std::optional<PageFile> html;
  if (!options.html.empty()) html.emplace(options.html, page, page_scrubber(program));
  std::vector<DatedRecords> files;
  for (const std::string& file : record_files(options.files)) {
    files.push_back({.name = fs::path(file).stem(), .records = records_of(file)});
  }
  const std::vector<KernelHistory> histories = histories_of(files);
  if (histories.empty()) {
    throw UserError(
        "--history: no kernel was timed against eager in two or more files, on a config that they "
        "share; give record files of several commits or days");
  }
  const Table steps = step_table(histories);
  std::cout << (options.report.format == "markdown" ? steps.markdown() : steps.console());
  if (html) html->write(history_page(histories, files.size()));
  return ExitCode::pass;
}

int run_report(const Program& program, const PagePaths& page, const ReportCommandOptions& options) {
  std::vector<KernelRecord> records;
  for (const std::string& file : record_files(options.files)) {
    for (KernelRecord& record : records_of(file)) records.push_back(std::move(record));
  }
  Reporters reporters = reporters_of(options.report);
  if (!options.html.empty()) {
    reporters.add(std::make_unique<HtmlReporter>(options.html, page, page_scrubber(program)));
  }
  reporters.begin({.kernels = records.size(), .configs_in_full = true});
  for (const KernelRecord& record : records) reporters.finished(record);
  reporters.end(records);
  return exit_code(records);
}

}  // namespace

Action add_report_command(const Program& program, const PagePaths& page, CommandLine& command) {
  const auto options = std::make_shared<ReportCommandOptions>();
  add_report_options(command, options->report);
  add_common_option(command, "--html", options->html);
  command
      .add_option("FILE", options->files,
                  "Record files as --json writes them, directories or globs of such; - is stdin")
      .required();
  command.add_flag("--history", options->history,
                   "Print how the speed-ups of kernels changed from file to file, by date; --html "
                   "draws them");
  return [program, page, options] {
    return options->history ? run_history(program, page, *options)
                            : run_report(program, page, *options);
  };
}

}  // namespace robust_kbench
