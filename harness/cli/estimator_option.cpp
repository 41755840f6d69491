#include "cli/estimator_option.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "ipc/estimate.hpp"

namespace robust_kbench {
namespace {

// A subject always runs robust beside the estimators that it is asked for.
constexpr std::array<std::string_view, 3> usual{"robust", "hot", "latency"};

bool is_usual(const std::string& name) {
  return std::find(usual.begin(), usual.end(), name) != usual.end();
}

}  // namespace

void add_estimator_option(CommandLine& command, std::vector<std::string>& others) {
  std::vector<std::string> names(estimator_names.begin(), estimator_names.end());
  names.emplace(names.begin(), usual.front());
  command
      .add_option(
          "--estimators",
          [&others](const std::vector<std::string>& wanted) {
            std::remove_copy_if(wanted.begin(), wanted.end(), std::back_inserter(others), is_usual);
          },
          "Ways to time CUDA kernels beside robust, which decides, hot and latency, which are all "
          "always there")
      .delimiter(',')
      .one_of(names);
}

}  // namespace robust_kbench
