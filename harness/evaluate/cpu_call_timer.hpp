#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "bench/kernel_timer.hpp"
#include "check/inspection.hpp"
#include "core/config.hpp"
#include "core/manifest.hpp"
#include "core/tool_finding.hpp"
#include "profile/cpu_roofline.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Times the calls of a CPU kernel for its profile, and compares them with the rates of these CPUs.
class CpuCallTimer {
 public:
  // `library` is the built kernel. `configs` are all configs that findings() may be asked for. The
  // manifest and the task must outlive this object. `stop` kills the workers, and findings() throws
  // Cancelled.
  CpuCallTimer(const Manifest& manifest, const Task& task, const KernelSource& kernel,
               const std::string& library, const std::vector<Config>& configs,
               const std::stop_token& stop);

  // The findings of cpu_roofline.hpp on one config, or how the kernel failed while it was timed.
  std::variant<std::vector<ToolFinding>, InspectionEnd> findings(const Config& config);

 private:
  using Timed = std::variant<CpuCall, InspectionEnd>;

  Timed time(const Config& config);
  [[nodiscard]] std::optional<Config> smallest(const Manifest& manifest) const;

  const Task& m_task;
  const Entry m_entry;
  const BenchOptions m_options;
  std::optional<Config> m_smallest;  // of the small configs, where the task tells its cost
  std::optional<Timed> m_smallest_call;
  std::unique_ptr<KernelTimer> m_timer;
  std::optional<KernelTimer::Turn> m_turn;  // the kernel's turn
};

}  // namespace robust_kbench
