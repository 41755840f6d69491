// The search runs on kernels of which every setting was timed. The twelve spaces are those of two
// kernels on six GPUs, from the AutoTuningAssociation's benchmark_hub (tuning_spaces/reduce.py).

#include <algorithm>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tune/parameter_search.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using Time = std::optional<double>;

// One kernel: its space, and for each setting that its restrictions allow the time on each GPU.
struct TimedKernel {
  TunableSpace space;
  std::vector<std::string> devices;
  std::vector<std::vector<Time>> times;
  std::map<Setting, std::size_t> rows;  // into `times`
};

std::vector<std::string> columns(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string column; std::getline(stream, column, '\t');) result.push_back(column);
  return result;
}

TimedKernel timed_kernel(const std::string& name) {
  std::ifstream file(TUNING_SPACES + name + ".tsv");
  TimedKernel kernel;
  std::string source;
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> row = columns(line);
    if (row[0] == "tunable") {
      names.push_back(row[1]);
      source += "constexpr int " + row[1] + " = " + row[2].substr(0, row[2].find(',')) +
                ";  // tune: " + row[2] + "\n";
    } else if (row[0] == "restriction") {
      source += "// restriction: " + row[1] + "\n";
    } else if (row[0] == "devices") {
      kernel.devices.assign(row.begin() + 1, row.end());
    } else {
      Setting setting;
      for (std::size_t i = 0; i < names.size(); ++i) setting[names[i]] = row[i];
      kernel.rows[setting] = kernel.times.size();
      std::vector<Time>& times = kernel.times.emplace_back();
      for (std::size_t i = names.size(); i < row.size(); ++i) {
        times.push_back(row[i] == "-" ? Time() : std::stod(row[i]));
      }
    }
  }
  kernel.space = TunableSpace::of(source);
  return kernel;
}

const std::vector<TimedKernel>& timed_kernels() {
  static const std::vector<TimedKernel> kernels = {timed_kernel("convolution"),
                                                   timed_kernel("dedispersion")};
  return kernels;
}

// The best time that a search finds, and the one that as many random settings find.
std::pair<double, double> best_found(const TimedKernel& kernel, std::size_t device, int budget,
                                     std::uint64_t seed) {
  const double none = std::numeric_limits<double>::infinity();
  double searched = none;
  double random = none;
  ParameterSearch search(kernel.space, seed, budget);
  while (const auto setting = search.ask()) {
    const Time time = kernel.times[kernel.rows.at(*setting)][device];
    search.tell(*setting, time);
    searched = std::min(searched, time.value_or(none));
  }
  SplitMix generator(seed);
  for (int i = 0; i < budget; ++i) {
    const Time time = kernel.times[generator.below(kernel.times.size())][device];
    random = std::min(random, time.value_or(none));
  }
  return {searched, random};
}

// Shares of the optimum, as means over all spaces and 30 seeds.
std::pair<double, double> mean_shares(int budget) {
  constexpr int seeds = 30;
  double searched = 0;
  double random = 0;
  int runs = 0;
  for (const TimedKernel& kernel : timed_kernels()) {
    for (std::size_t device = 0; device < kernel.devices.size(); ++device) {
      double optimum = std::numeric_limits<double>::infinity();
      for (const std::vector<Time>& times : kernel.times) {
        optimum = std::min(optimum, times[device].value_or(optimum));
      }
      for (int seed = 0; seed < seeds; ++seed, ++runs) {
        const auto [by_search, by_chance] =
            best_found(kernel, device, budget, static_cast<std::uint64_t>(seed));
        searched += optimum / by_search;
        random += optimum / by_chance;
      }
    }
  }
  return {searched / runs, random / runs};
}

TEST(TuningSpaces, are_what_the_published_restrictions_leave) {
  for (const TimedKernel& kernel : timed_kernels()) {
    for (const auto& [setting, row] : kernel.rows) ASSERT_TRUE(kernel.space.allows(setting));
    int asked = 0;
    ParameterSearch search(kernel.space, 1, 20'000);
    while (search.ask()) ++asked;
    EXPECT_EQ(asked, static_cast<int>(kernel.times.size()));
  }
}

void expect_share(int budget, double least) {
  const auto [searched, random] = mean_shares(budget);
  std::cout << budget << " evaluations: " << searched << " of the optimum, random " << random
            << '\n';
  EXPECT_GE(searched, least);
  EXPECT_GT(searched, random + 0.05);
}

TEST(TuningSpaces, yield_most_of_their_optimum_after_50_evaluations) {
  expect_share(50, 0.86);
}

TEST(TuningSpaces, yield_nearly_all_of_their_optimum_after_100_evaluations) {
  expect_share(100, 0.93);
}

}  // namespace
}  // namespace robust_kbench
