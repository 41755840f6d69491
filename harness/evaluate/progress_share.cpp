#include "evaluate/progress_share.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

// Seconds of a CPU kernel (docs/runs/evaluation_stages.json). The sanitizers look at one small case
// each.
double usual_seconds(Stage stage) {
  switch (stage) {
    case Stage::compile:
      return 1.4;
    case Stage::test:
      return 2;
    case Stage::sanitize:
      return 4;
    case Stage::time:
      return 6;
  }
  return 0;
}

}  // namespace

double share_done(const Progress& made, const KernelSource& kernel, const std::set<Stage>& stages) {
  const bool is_compiled = !kernel.record.empty();
  double before = 0;
  double all = 0;
  for (const Stage stage : stages) {
    if (stage == Stage::compile && is_compiled) continue;
    const double seconds = usual_seconds(stage);
    all += seconds;
    if (stage < made.stage) before += seconds;
    if (stage == made.stage && made.total > 0) {
      before += seconds * static_cast<double>(std::min(made.done, made.total)) /
                static_cast<double>(made.total);
    }
  }
  return all > 0 ? before / all : 0;
}

}  // namespace robust_kbench
