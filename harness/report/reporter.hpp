#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace robust_kbench {

// The description of a command's run over some kernels.
struct ReportedRun {
  std::string title;  // printed first; may be empty
  std::size_t kernels = 0;
  bool files = false;            // kernels are named by the path of their source
  bool configs_in_full = false;  // print each kernel's table of configs
  bool output_in_full = false;   // print all output of each kernel in its cases
};

// Reports the results of one run's kernels to people or other programs.
class Reporter {
 public:
  virtual ~Reporter() = default;

  virtual void begin(const ReportedRun& /*run*/) {}
  // Reports a kernel's current stage. `stage` is one line of text, and `share` of the work on this
  // kernel is done, from 0 to 1.
  virtual void progress(const std::string& /*kernel*/, const std::string& /*stage*/,
                        double /*share*/) {}
  virtual void finished(const KernelRecord& /*record*/) {}
  // A kernel that passed fails the command all the same, as --fail-if says. It comes before end().
  virtual void failed(const KernelRecord& /*record*/, const std::string& /*why*/) {}
  // Receives all records of the run in their order, including those that another process has
  // finished.
  virtual void end(const std::vector<KernelRecord>& /*records*/) {}
};

// Several reporters as one.
class Reporters : public Reporter {
 public:
  void add(std::unique_ptr<Reporter> reporter) { m_reporters.push_back(std::move(reporter)); }

  void begin(const ReportedRun& run) override {
    for (const auto& reporter : m_reporters) reporter->begin(run);
  }
  void progress(const std::string& kernel, const std::string& stage, double share) override {
    for (const auto& reporter : m_reporters) reporter->progress(kernel, stage, share);
  }
  void finished(const KernelRecord& record) override {
    for (const auto& reporter : m_reporters) reporter->finished(record);
  }
  void failed(const KernelRecord& record, const std::string& why) override {
    for (const auto& reporter : m_reporters) reporter->failed(record, why);
  }
  void end(const std::vector<KernelRecord>& records) override {
    for (const auto& reporter : m_reporters) reporter->end(records);
  }

 private:
  std::vector<std::unique_ptr<Reporter>> m_reporters;
};

// The name of a kernel in a run: "layernorm.forward.fused", or the path of its source.
inline std::string name_of(const ReportedRun& run, const KernelRecord& record) {
  return run.files ? record.path : record.entry.name() + "." + record.name;
}

}  // namespace robust_kbench
