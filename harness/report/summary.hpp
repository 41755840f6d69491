#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "report/table.hpp"

namespace robust_kbench {

// 3.21 us, 45.6 us, 1.23 ms: three figures.
std::string format_time(double microseconds);

// The number of cases that the kernel refused.
std::size_t refusals(const KernelRecord& kernel);

// The bytes to which inputs must be aligned, as a case found; nullopt where none found any.
std::optional<int> needed_alignment(const KernelRecord& kernel);

// The cases that passed, of all: "40/44, 3 refused".
std::string cases_text(const KernelRecord& kernel);

// The least and the greatest speed-up over eager of any config: "0.88..15.56"; "-" for none.
std::string range_over_configs(const KernelRecord& kernel);

// All estimates of a config's times. The record's own figures, `robust`, `hot` and `latency`, come
// first.
std::vector<EstimateRecord> all_estimates(const ConfigTimingRecord& config);

// One row per kernel: task, direction, kernel, verdict, scope, cases, times, speed-up over eager
// with its interval, and the range of the configs' speed-ups. Cases read "40/44, 3 refused",
// "0/41, 38 not called" or "44/44, needs inputs aligned to 16 bytes". Times and speed-ups are
// geometric means over the timed configs.
Table summary_table(const std::vector<KernelRecord>& kernels);

// One row per config: the kernel's and each baseline's or rival's time, the speed-up, its interval,
// and the verdict on it. Where there are several, the last rows have the means over all.
Table timing_table(const KernelRecord& kernel);

// The time of every subject of a CUDA kernel's record, with one row for each config and estimator.
// `robust`, `hot` and `latency` come first.
Table estimate_table(const KernelRecord& kernel);

// The properties asked by the cases that the kernel refused, one a line; empty where it refused
// none.
std::string refused_cases(const KernelRecord& kernel);

// The output of each case's process, with a kernel's lines marked; empty where the record has none.
std::string printed_text(const KernelRecord& kernel);

// Remarks: the alignment that a kernel needs, how races against rivals ended, which means are
// doubted and why, and what was not timed. May be empty.
std::string remarks(const std::vector<KernelRecord>& kernels);

// The failures of each rejected kernel, most telling first, and the end of its output. Empty when
// all passed. A long reason is cut in its middle, as its last line tells how to replay it. Every
// line but a kernel's first is indented, so that no text of a kernel passes for a verdict.
std::string rejections(const std::vector<KernelRecord>& kernels);

// "19 kernels: 18 passed, 1 rejected, 0 skipped; 740 of 780 cases passed, 3 refused, 37 not
// called".
std::string totals(const std::vector<KernelRecord>& kernels);

}  // namespace robust_kbench
