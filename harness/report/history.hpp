#pragma once

#include <string>
#include <vector>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "report/table.hpp"

namespace robust_kbench {

// The records of one file, which are of one commit or one day.
struct DatedRecords {
  std::string name;  // of the file, without its directory and ending: a commit, a date
  std::vector<KernelRecord> records;
};

// A kernel in one of the files. Figures are geometric means over the configs that all of the
// kernel's points have.
struct HistoryPoint {
  std::string name;     // DatedRecords::name
  std::string date;     // of the evaluation; empty where the record does not say
  std::string machine;  // CPU and GPU
  double time_us = 0;
  Interval time_interval;
  double speedup = 0;  // over eager
  Interval speedup_interval;
  // Whether the interval lies apart from that of the point before. Times of two machines never
  // make a step.
  bool is_time_step = false;
  bool is_speedup_step = false;
};

struct KernelHistory {
  std::string kernel;  // "layernorm.forward.two_pass, cpu"
  std::vector<HistoryPoint> points;
};

// The kernels that were timed against eager in two or more files, on a config that these share.
// Points are in the order of their dates, or of the files where a date is missing.
std::vector<KernelHistory> histories_of(const std::vector<DatedRecords>& files);

// One row a step of a speed-up: the kernel, between which files, and both speed-ups.
Table step_table(const std::vector<KernelHistory>& histories);

}  // namespace robust_kbench
