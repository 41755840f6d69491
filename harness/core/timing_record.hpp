#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ratio_call.hpp"

#include <nlohmann/json_fwd.hpp>

// The timings of one kernel and its baselines. Times are microseconds.
namespace robust_kbench {

// Why no more samples of a config were taken.
enum class StopReason {
  interval,  // every interval is narrow enough
  workers,   // workers differ, so more samples would not narrow the interval
  cap,       // the time limit came first
};

std::string_view to_string(StopReason reason);
StopReason parse_stop_reason(std::string_view name);  // throws UserError

// The times of one subject on one config.
struct TimingRecord {
  std::string subject;  // "kernel", "eager", "compile"
  double median_us = 0;
  double ci_low_us = 0;
  double ci_high_us = 0;
  double quartile_low_us = 0;
  double quartile_high_us = 0;
  int workers = 0;
  int samples = 0;
  int dropped = 0;  // samples thrown away: the machine was interrupted or the GPU throttled
  // For each worker, how far its median sample lies below the true cost of its calls. That is
  // estimated by its cheapest batch, a call alone, or a replay. All times of the record include it.
  // 0 for baselines.
  std::vector<double> understated_us;
  int sm_mhz = 0;          // median clock of the GPU about a batch; 0: unknown, or no GPU
  int verified_calls = 0;  // timed calls whose outputs were compared with the reference
  // GPU times by the subject's own measurement, for comparison only (runner/warm_estimate.hpp).
  // `hot_us` is with a warm cache. `latency_us` is from the call until the host learns of its end.
  // 0 means unknown.
  double hot_us = 0;
  double latency_us = 0;
  StopReason stopped_by = StopReason::cap;
  std::vector<std::vector<double>> samples_us;  // by worker
};

// The kernel against one baseline.
struct SpeedupRecord {
  std::string against;  // "eager", "compile"
  double ratio = 0;     // baseline time / kernel time
  double ci_low = 0;
  double ci_high = 0;
  RatioCall call = RatioCall::ambiguous;
  std::string doubt;  // why the interval is not believed (doubt_of()); else empty
  // The ratio of the times by replay_estimator, in which none of the kernel's host code takes part.
  std::optional<double> replayed;
};

// The estimator of calls that are one work of a GPU (bench/together_time.hpp).
inline constexpr std::string_view replay_estimator = "replay";

// The result of one of the usual ways to time a subject (ipc/estimate.hpp), or of replay_estimator.
struct EstimateRecord {
  std::string subject;
  std::string estimator;
  double time_us = 0;  // 0: there is none, see `note`
  int calls = 0;       // calls that the estimate is made of
  std::string note;
};

// The estimate of a subject by an estimator, or nullptr where there is none.
const EstimateRecord* find_estimate(const std::vector<EstimateRecord>& estimates,
                                    std::string_view estimator, std::string_view subject);

// The least time that a config needs on this GPU. A kernel reaches the share us / median_us of the
// GPU's rate.
struct RooflineRecord {
  double us = 0;
  std::string bound;  // "memory, 2.97 TB/s"
};

struct ConfigTimingRecord {
  std::string config;
  std::optional<RooflineRecord> roofline;  // on a GPU, where the task gives its cost
  std::vector<TimingRecord> subjects;      // the kernel, rivals, baselines
  std::vector<SpeedupRecord> speedups;     // the kernel over each other subject
  std::vector<EstimateRecord> estimates;   // only where requested
  // The number of usable processors that other programs kept busy meanwhile. None where the
  // operating system does not tell.
  std::optional<double> busy_cpus;
  std::string disturbance;  // "the machine was busy" and its like; empty where nothing disturbed

  // The timing of a subject, or nullptr where it was not timed.
  [[nodiscard]] const TimingRecord* find(std::string_view subject) const;
};

void to_json(nlohmann::json& json, const TimingRecord& record);
void from_json(const nlohmann::json& json, TimingRecord& record);
void to_json(nlohmann::json& json, const SpeedupRecord& record);
void from_json(const nlohmann::json& json, SpeedupRecord& record);
void to_json(nlohmann::json& json, const EstimateRecord& record);
void from_json(const nlohmann::json& json, EstimateRecord& record);
void to_json(nlohmann::json& json, const RooflineRecord& record);
void from_json(const nlohmann::json& json, RooflineRecord& record);
void to_json(nlohmann::json& json, const ConfigTimingRecord& record);
void from_json(const nlohmann::json& json, ConfigTimingRecord& record);

}  // namespace robust_kbench
