#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// On what a kernel was evaluated, beside the GPU and the compiler of its record.
struct MachineRecord {
  std::string date;  // when the evaluation ended, as "2026-11-27T13:00:43Z"
  std::string host;
  std::string cpu;  // its model
  int cpus = 0;     // processors that the program may use
  std::string rkb;  // these three are versions
  std::string torch;
  std::string driver;  // of NVIDIA; empty where there is none
};

void to_json(nlohmann::json& json, const MachineRecord& record);
void from_json(const nlohmann::json& json, MachineRecord& record);

}  // namespace robust_kbench
