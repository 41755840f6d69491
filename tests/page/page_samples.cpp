// page_samples RECORDS SOURCES LIBRARY DIRECTORY: writes pages for browser_test.py into a
// directory. RECORDS is tests/golden/records.json, whose kernels are repeated for large pages.
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "core/parse_json.hpp"
#include "core/record.hpp"
#include "core/text_file.hpp"
#include "report/chart_library.hpp"
#include "report/evolution_page.hpp"
#include "report/history_page.hpp"
#include "report/html_page.hpp"
#include "report/record_page.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr const char* markup = "</script><img src=x onerror=\"window.wasRun=1\"><b>bold</b>";

KernelRecord hostile(KernelRecord record) {
  record.name += markup;
  record.judgement.reason += markup;
  record.judgement.output = markup;
  for (CapabilityUse& use : record.build.uses) use.symbol = markup;
  return record;
}

std::vector<KernelRecord> repeated(const std::vector<KernelRecord>& records, std::size_t count) {
  std::vector<KernelRecord> many;
  for (std::size_t i = 0; i < count; ++i) {
    KernelRecord& record = many.emplace_back(records[i % records.size()]);
    record.name += "_" + std::to_string(i);
  }
  return many;
}

// An evolution in which every text and source is a model's markup.
ShownEvolution sample_evolution() {
  ShownEvolution shown{.run = "sample", .entry = "layernorm.forward", .device = "cpu"};
  shown.winner = 4;
  shown.over_start = {markup, "2.00x", "1.90x (1.80..2.00)", "-", "faster"};
  shown.speedups = {{"torch's eager mode", "2.00x", "1.90x (1.80..2.00)", "-", "faster"}};
  for (std::int64_t id = 1; id <= 6; ++id) {
    const bool is_accepted = id == 2 || id == 4;
    const std::string outcome = id == 1 ? "seed" : is_accepted ? "accepted" : "refused";
    ShownProposal proposal{.id = id,
                           .parent = id == 1   ? 0
                                     : id <= 3 ? 1
                                               : 2,
                           .proposer = "llm",
                           .strategy = markup,
                           .outcome = outcome,
                           .standing = outcome,
                           .reason = markup,
                           .is_accepted = is_accepted,
                           .minutes = static_cast<double>(id),
                           .tokens = 1000,
                           .dollars = 0.01};
    if (is_accepted) proposal.speedup = proposal.over_seed = static_cast<double>(id);
    if (outcome == "refused") proposal.reason_class = "slower";
    proposal.source = "// kernel " + std::to_string(id) + "\nint main() { return " +
                      std::to_string(id) + "; } // " + markup + "\n";
    shown.proposals.push_back(proposal);
  }
  shown.verifiers = {{.name = "memory", .found = 3, .overlooked = 1, .let_through = 4}};
  shown.costs = {
      {.stage = "propose", .model = "stub/model", .calls = 5, .tokens = 5000, .dollars = 0.05}};
  return shown;
}

std::vector<KernelHistory> sample_histories() {
  KernelHistory history{.kernel = markup, .points = {}};
  for (int i = 1; i <= 5; ++i) {
    const double ratio = i < 3 ? 2 : 3;
    history.points.push_back({.name = "commit " + std::to_string(i),
                              .date = "2026-01-0" + std::to_string(i),
                              .time_us = 10,
                              .time_interval = {9, 11},
                              .speedup = ratio,
                              .speedup_interval = {ratio - 0.1, ratio + 0.1},
                              .is_speedup_step = i == 3});
  }
  return {history};
}

void write_pages(const std::string& golden, const PagePaths& paths, const std::string& directory) {
  const std::vector<KernelRecord> records = kernels_of(parse_json(read_text(golden).value()));
  std::vector<KernelRecord> hostile_records;
  for (const KernelRecord& record : records) hostile_records.push_back(hostile(record));
  const ChartLibrary library = chart_library(paths);
  const auto write = [&](const std::string& name, const nlohmann::json& page,
                         const ChartLibrary& charts) {
    std::ofstream(directory + "/" + name + ".html") << html_page(page, paths, charts);
  };
  write("records", record_page(hostile_records), library);
  write("without_charts", record_page(records), {});
  write("1_kernel", record_page(repeated(records, 1)), library);
  write("2000_kernels", record_page(repeated(records, 2000)), library);
  write("evolution", evolution_page(sample_evolution()), library);
  write("history", history_page(sample_histories(), 5), library);
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  try {
    robust_kbench::write_pages(argv[1], {.sources = argv[2], .library = argv[3]}, argv[4]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "page_samples: %s\n", error.what());
    return 1;
  }
  return 0;
}
