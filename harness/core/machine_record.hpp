#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The machine of an evaluation, besides the GPU and the compiler, which the kernel's record has.
struct MachineRecord {
  std::string date;  // when the evaluation ended, as "2026-11-27T13:00:43Z"
  std::string host;
  std::string cpu;  // its model
  int cpus = 0;     // processors that the program may use
  std::string rkb;  // this and the next two are versions
  std::string torch;
  std::string driver;  // of NVIDIA; empty where there is none
};

void to_json(nlohmann::json& json, const MachineRecord& record);
void from_json(const nlohmann::json& json, MachineRecord& record);

}  // namespace robust_kbench
