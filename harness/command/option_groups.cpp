#include "command/option_groups.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace robust_kbench {
namespace {

const std::vector<std::pair<std::string, std::vector<std::string>>> groups{
    {"Kernels", {"--task", "--direction", "--device", "--kernel", "--gpus", "--allow", "--all"}},
    {"Compilation",
     {"--source", "--headers", "--include", "--define", "--option", "--library", "--entry",
      "--no-cache"}},
    {"Cases",
     {"--configs", "--config", "--scope", "--require-shapes", "--case", "--nonce", "--seeds",
      "--all-cases", "--show-output"}},
    {"Timing", {"--against", "--fail-if", "--call-timeout"}},
    {"Results", {"--json", "--csv", "--junit", "--html", "--report", "--out", "--name"}},
    {"Runs", {"--archive", "--resume", "--replay", "--settings", "--set"}},
    {"Many machines",
     {"--workers", "--run-directory", "--pilot-count", "--pilot-option", "--sbatch", "--lease"}},
    {"Language models",
     {"--max-usd", "--max-tokens", "--max-calls", "--dry-run", "--unsafe", "--model", "--verifier",
      "--labelled-set"}},
};

}  // namespace

std::string group_of(const std::string& option) {
  for (const auto& [group, options] : groups) {
    if (std::ranges::find(options, option) != options.end()) return group;
  }
  return "Options";
}

}  // namespace robust_kbench
