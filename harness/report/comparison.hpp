#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/timing_record.hpp"
#include "report/changed_times.hpp"
#include "report/measured.hpp"

// What has changed between two measurements of the same kernels or benchmarks, the base and the
// contender.
namespace robust_kbench {

// A verdict on a kernel or one of its cases that the contender does not share.
struct VerdictChange {
  std::string kernel;
  std::string path;       // of its first source
  std::string case_name;  // empty: the kernel as a whole
  Judgement base;
  Judgement contender;

  // Whether something passes no more, or fails more gravely.
  [[nodiscard]] bool is_worse() const;
};

struct ComparedCase {
  std::string config;
  Basis basis = Basis::times;
  std::string baseline;  // that both have; empty: none
  double base_us = 0;
  double contender_us = 0;
  double base_speedup = 0;  // over the baseline; 0 where there is none
  double contender_speedup = 0;
  SpeedupRecord change;  // of the contender over the base
  bool beyond = false;   // certainly slower by more than the threshold
};

// A kernel or benchmark of which both have times.
struct ComparedKernel {
  std::string name;  // of the contender
  std::string base_name;
  std::string path;
  std::vector<ComparedCase> cases;
  SpeedupRecord mean;  // the geometric mean over the cases
  bool beyond = false;
};

// Something that was not compared, and why.
struct NotCompared {
  std::string name;  // of a kernel, or of its config
  std::string why;
};

struct MeasurementComparison {
  std::string base;  // as the user named it
  std::string contender;
  double threshold = 0;     // as a share: 0.05 for 5 %
  std::size_t in_both = 0;  // kernels and benchmarks
  std::string base_machines;
  std::string contender_machines;
  std::vector<VerdictChange> verdicts;  // worse ones first
  std::vector<ComparedKernel> kernels;  // in the contender's order
  std::optional<SpeedupRecord> mean;    // the geometric mean over all cases
  std::vector<NotCompared> not_compared;

  // Whether a case or a kernel's mean is beyond the threshold, or a verdict is worse.
  [[nodiscard]] bool is_worse() const;
};

// One side of a comparison.
struct ComparedSide {
  std::string name;  // as the user named it
  std::vector<Measured> kernels;
};

// How much longer a case may take: a share from 0 on.
struct CompareOptions {
  double threshold = 0.05;
  bool one_race = false;  // both sides were timed in one run, in turns
};

// Compares kernels of the same name and device, and those that are alone in their entry on both
// sides. Throws UserError where a side has two of one name, and where nothing can be compared.
MeasurementComparison compare_measurements(const ComparedSide& base, const ComparedSide& contender,
                                           const CompareOptions& options);

}  // namespace robust_kbench
