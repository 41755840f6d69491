#include "cli/estimator_option.hpp"

#include <algorithm>
#include <iterator>

#include "exec/estimate.hpp"

namespace robust_kbench {
namespace {

constexpr const char* usual = "robust";

}  // namespace

void add_estimator_option(CLI::App& command, std::vector<std::string>& others) {
  std::vector<std::string> names = estimator_names();
  names.insert(names.begin(), usual);
  command
      .add_option_function<std::vector<std::string>>(
          "--estimators",
          [&others](const std::vector<std::string>& wanted) {
            std::remove_copy(wanted.begin(), wanted.end(), std::back_inserter(others), usual);
          },
          "Ways to time CUDA kernels; robust, which judges, is always one")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names));
}

}  // namespace robust_kbench
