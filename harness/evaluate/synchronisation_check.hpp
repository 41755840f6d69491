#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/record.hpp"
#include "evaluate/tool_log.hpp"
#include "evaluate/tool_memory.hpp"

namespace robust_kbench {

// A case of a kernel under one tool.
struct Inspection {
  std::string tool;  // racecheck or synccheck
  Case inspected;
};

// racecheck and synccheck on some cases of a built CUDA kernel, beside its other tests. All run
// from the construction on. Only their calls of the kernel keep others from timing.
class SynchronisationCheck {
 public:
  // The programs are absolute paths, `cuobjdump` may be empty (evaluate/split_barriers.hpp). The
  // tools share `memory`, which must outlive this.
  SynchronisationCheck(const InspectedKernel& kernel, const std::string& compute_sanitizer,
                       const std::string& cuobjdump, const std::vector<Inspection>& inspections,
                       ToolMemory& memory);
  ~SynchronisationCheck();  // kills running tools
  SynchronisationCheck(const SynchronisationCheck&) = delete;
  SynchronisationCheck& operator=(const SynchronisationCheck&) = delete;

  // Waits for `limit` at most, then kills running tools. Returns a record of each inspection, see
  // record_of_log(). Throws Cancelled once the kernel's `stop` is requested.
  std::vector<CaseRecord> records(std::chrono::seconds limit);

 private:
  std::stop_source m_stop;
  std::stop_callback<std::function<void()>> m_forward;  // passes the kernel's own stop on
  std::stop_token m_cancelled;
  std::vector<std::future<CaseRecord>> m_tools;
};

// The record of a sanitizer's log, named "sanitize/racecheck" and so on. It is `unsafe` where the
// tool reports a race, a barrier that not all threads reach, or an illegal memory access.
//
// Otherwise it is `pass`. The reason then holds warnings, or why the tool could not look. It may
// lack memory or not know an instruction. If the kernel fails under the tool, the tests judge that.
// `look` may throw HarnessError.
CaseRecord record_of_log(const std::string& tool, const std::function<ToolLog()>& look);

// The case to inspect: seed 1 of the `small` config in the middle by size. The smallest may give a
// kernel a single warp, and on the largest a tool takes long. nullopt where no config is small.
std::optional<Case> case_to_inspect(const Task& task, Direction direction,
                                    const std::vector<Config>& configs);

// Seed 1 of the largest of `timed`, or of a config as near to it as racecheck can look at within a
// second. A kernel may take another path for long rows, so leading sizes are halved first. nullopt
// where even that is too large, as for a task of fixed shapes.
std::optional<Case> case_near_timed(const Task& task, Direction direction,
                                    const std::vector<Config>& timed);

}  // namespace robust_kbench
