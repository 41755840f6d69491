#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A right kernel that differs from its parent by the values of tunables.
struct TimedSetting {
  std::int64_t id = 0;      // of the proposal
  std::int64_t parent = 0;  // that it raced against
  std::string setting;      // the values that differ from the tuned kernel's, for people
  std::map<std::string, double> speedups;  // over the parent, by config
};

struct BestSetting {
  std::string config;
  std::int64_t proposal = 0;  // the tuned kernel's own id where nothing was faster
  std::string setting;        // empty: the tuned kernel's own
  double speedup = 1;         // over the tuned kernel
  double speedup_of_one = 1;  // the same of the one setting for all
};

// The findings of tuning one kernel.
struct TuningReport {
  std::int64_t tuned = 0;  // id of the kernel whose values were varied
  int settings = 0;        // that were timed, its own not counted
  std::int64_t one = 0;  // the proposal with the best geometric mean of those timed on all configs
  std::string setting;   // its values; empty: the tuned kernel's own
  double gives_up = 0;   // share by which it takes longer than the best setting of each config
  std::vector<BestSetting> configs;  // by name
};

// One report for each kernel that was tuned, by its id. A setting that raced against another one of
// the same kernel has the product of the races' speed-ups.
std::vector<TuningReport> tuning_reports(const std::vector<TimedSetting>& timed);

void to_json(nlohmann::json& json, const BestSetting& best);
void from_json(const nlohmann::json& json, BestSetting& best);
void to_json(nlohmann::json& json, const TuningReport& report);
void from_json(const nlohmann::json& json, TuningReport& report);

}  // namespace robust_kbench
