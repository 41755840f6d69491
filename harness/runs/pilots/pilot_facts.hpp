#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// What a pilot says of itself when it joins a run.
struct PilotFacts {
  std::string name;  // of all pilots ever: the host, the process, and some random digits
  std::string host;
  int process = 0;
  std::string label;  // as whoever started it calls it, such as Slurm's number of the job
  std::string model;  // of the GPU, or of the CPU where it evaluates for that
  std::string rkb;    // this and the next two are versions
  std::string torch;
  std::string driver;   // of NVIDIA; empty where there is none
  std::string sources;  // source_tree_digest() of its build
  int slots = 1;        // jobs at a time
  std::string refused;  // why it may not take part; empty: it may
};

// A name for a pilot of this process.
std::string new_pilot_name();

void to_json(nlohmann::json& json, const PilotFacts& facts);
void from_json(const nlohmann::json& json, PilotFacts& facts);

}  // namespace robust_kbench
