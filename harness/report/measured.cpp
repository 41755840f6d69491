#include "report/measured.hpp"

#include <algorithm>

#include "core/counted.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Records that somebody has shortened may lack samples.
bool has_samples(const TimingRecord& subject) {
  return !subject.samples_us.empty() &&
         std::ranges::none_of(subject.samples_us, &std::vector<double>::empty);
}

MeasuredConfig measured_config(const KernelRecord& record, const ConfigTimingRecord& timing) {
  MeasuredConfig config{.config = timing.config, .disturbance = timing.disturbance};
  for (const TimingRecord& subject : timing.subjects) {
    if (&subject == &timing.subjects.front()) {
      config.samples_us = subject.samples_us;
    } else if (has_samples(subject) &&
               std::ranges::find(record.rivals, subject.subject, &RivalRecord::name) ==
                   record.rivals.end()) {
      config.baselines_us[subject.subject] = subject.samples_us;
    }
  }
  return config;
}

}  // namespace

std::string machine_in_words(const std::string& host, const std::string& cpu, int cpus,
                             const std::string& gpu) {
  return fmt::format("{} ({}, {}{})", host, cpu,
                     counted(static_cast<std::size_t>(cpus), "processor"),
                     gpu.empty() ? "" : ", " + gpu);
}

Measured measured(const KernelRecord& record) {
  Measured kernel{
      .name = record.entry.name() + "." + record.name,
      .place = record.entry.name() + " on " + std::string(to_string(record.device)),
      .path = record.path,
      .device = record.device,
      .judgement = record.judgement,
      .no_times = record.timing_note,
  };
  if (record.machine) {
    kernel.machine = machine_in_words(record.machine->host, record.machine->cpu,
                                      record.machine->cpus, record.gpu);
  }
  for (const CaseRecord& c : record.cases) kernel.cases.emplace(c.name, c.judgement);
  for (const ConfigTimingRecord& timing : record.timings) {
    const bool timed = !timing.subjects.empty() && has_samples(timing.subjects.front());
    if (timed) kernel.configs.push_back(measured_config(record, timing));
  }
  return kernel;
}

}  // namespace robust_kbench
