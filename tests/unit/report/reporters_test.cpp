#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "process/temporary_directory.hpp"
#include "report/console_reporter.hpp"
#include "report/csv_reporter.hpp"
#include "report/junit_reporter.hpp"
#include "report/markdown_reporter.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

// Compares each reporter's output for tests/golden/records.json with the approved file beside it.
// With RKB_UPDATE_GOLDEN in the environment the files are written instead. Read the difference
// before you commit it.
namespace robust_kbench {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_approved(const std::string& text, const std::string& name) {
  const std::string path = GOLDEN + name;
  if (std::getenv("RKB_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  EXPECT_EQ(text, text_of(path)) << "RKB_UPDATE_GOLDEN=1 approves it";
}

std::vector<KernelRecord> golden_records() {
  return kernels_of(nlohmann::json::parse(text_of(GOLDEN "records.json")));
}

void report(Reporter& reporter, const ReportedRun& run, const std::vector<KernelRecord>& records) {
  reporter.begin(run);
  for (const KernelRecord& record : records) {
    reporter.progress(record.name, "testing", 0);
    reporter.finished(record);
  }
  reporter.end(records);
}

TEST(ConsoleReporter, PrintsWhatWasApproved) {
  const std::vector<KernelRecord> records = golden_records();
  std::ostringstream out;
  ConsoleReporter reporter(out);
  report(reporter, {.title = "Golden records.", .kernels = records.size(), .configs_in_full = true},
         records);
  expect_approved(out.str(), "console.txt");
}

TEST(ConsoleReporter, CallsFilesByTheirPath) {
  const std::vector<KernelRecord> records = {golden_records().front()};
  std::ostringstream out;
  ConsoleReporter reporter(out);
  report(reporter, {.kernels = 1, .files = true}, records);
  EXPECT_NE(out.str().find("\n/k/fused.cu\nconfig"), std::string::npos) << out.str();
}

TEST(MarkdownReporter, PrintsWhatWasApproved) {
  const std::vector<KernelRecord> records = golden_records();
  std::ostringstream out;
  MarkdownReporter reporter(out);
  report(reporter, {.title = "Golden records.", .kernels = records.size()}, records);
  expect_approved(out.str(), "markdown.md");
}

TEST(JunitReporter, WritesWhatWasApproved) {
  const std::string path = std::filesystem::temp_directory_path() / "rkb_junit_reporter_test.xml";
  JunitReporter reporter(path);
  report(reporter, {}, golden_records());
  expect_approved(text_of(path), "junit.xml");
  std::filesystem::remove(path);
}

TEST(CsvReporter, WritesWhatWasApproved) {
  const TemporaryDirectory directory("csv_reporter");
  const std::string path = directory.path() / "records.csv";
  CsvReporter reporter(path);
  report(reporter, {}, golden_records());
  expect_approved(text_of(path), "records.csv");
}

TEST(Reporters, PassEverythingOnToEach) {
  std::ostringstream first;
  std::ostringstream second;
  Reporters reporters;
  reporters.add(std::make_unique<MarkdownReporter>(first));
  reporters.add(std::make_unique<MarkdownReporter>(second));
  report(reporters, {.title = "Golden records."}, golden_records());
  EXPECT_NE(first.str().find("Golden records."), std::string::npos);
  EXPECT_EQ(first.str(), second.str());
}

}  // namespace
}  // namespace robust_kbench
