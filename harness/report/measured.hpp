#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/judgement.hpp"
#include "core/record.hpp"
#include "core/statistics.hpp"

namespace robust_kbench {

// The samples of one kernel or benchmark on one config.
struct MeasuredConfig {
  std::string config;  // empty for a benchmark without configs
  WorkerSamples samples_us;
  std::map<std::string, WorkerSamples> baselines_us = {};  // of the same run, by name
  std::string disturbance = {};                            // as in ConfigTimingRecord
  std::string doubt = {};  // why no interval follows from the samples; empty: one does
};

// What one file or run says of one kernel or benchmark.
struct Measured {
  std::string name;  // "layernorm.forward.fused"
  // The entry and device of a kernel, or empty. A kernel that is alone there in both files is
  // compared whatever its names are.
  std::string place = {};
  std::string path = {};  // of a kernel's first source
  Device device = Device::cpu;
  std::string machine = {};  // in words, equal for equal machines; empty: unknown
  Judgement judgement = passed();
  std::string no_times = {};  // why a kernel that passed lacks times of some configs
  std::map<std::string, Judgement> cases = {};  // by name
  std::vector<MeasuredConfig> configs = {};
};

// "host (CPU, 8 processors, GPU)". `gpu` is empty where none was used.
std::string machine_in_words(const std::string& host, const std::string& cpu, int cpus,
                             const std::string& gpu);

// The record's kernel and its baselines. A case that the kernel refused has the verdict skipped.
Measured measured(const KernelRecord& record);

}  // namespace robust_kbench
