#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "core/record.hpp"
#include "evaluate/evaluator.hpp"
#include "tensor/task_registry.hpp"

namespace robust_kbench {

// One runtime case: a kernel or a baseline on one config of an entry.
struct RuntimeCase {
  std::string name;  // "mnist_linear.forward.<kernel, eager or compile>.<config>"
  Entry entry;
  Config config;
  std::string subject;
};

struct RuntimeCaseResult {
  Judgement judgement = passed();  // there is no timing unless it passes
  TimingRecord timing;
  std::optional<RooflineRecord> roofline;  // of a kernel's config
  std::vector<SpeedupRecord> speedups;     // of a kernel, over each baseline
};

// The runtime cases of a build. The first requested case of an entry's config measures all subjects
// of that config in turns. The others then find their result. A kernel is tested before the first
// of its cases is timed, and never timed where a test fails.
class RuntimeCases {
 public:
  // The arguments outlive the object. `device` selects the timed kernels.
  RuntimeCases(const Manifest& manifest, const TaskRegistry& tasks, Device device,
               ConfigSet configs, const BenchOptions& options);
  ~RuntimeCases();

  // The cases of one entry are consecutive.
  [[nodiscard]] const std::vector<RuntimeCase>& cases() const { return m_cases; }
  const RuntimeCaseResult& result(const RuntimeCase& runtime_case);
  // Whether the harness failed in any of the results so far, whose reasons explain it.
  [[nodiscard]] bool harness_failed() const { return m_harness_failed; }

 private:
  struct Race;  // an entry while it is measured
  void add_cases(const Entry& entry);
  void start_race(const Entry& entry);
  void measure(const RuntimeCase& runtime_case);
  ConfigTimingRecord race(const std::string& config);
  RuntimeCaseResult& result_of(const Entry& entry, const std::string& subject,
                               const std::string& config);
  void fail(const RuntimeCase& failed, const std::string& why);

  const Manifest& m_manifest;
  const TaskRegistry& m_tasks;
  const Device m_device;
  const ConfigSet m_configs;
  const BenchOptions& m_options;
  std::vector<RuntimeCase> m_cases;
  std::unique_ptr<Race> m_race;
  std::map<std::string, RuntimeCaseResult> m_results;  // by name
  bool m_harness_failed = false;
};

}  // namespace robust_kbench
