#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "core/profile_record.hpp"
#include "core/timing_record.hpp"
#include "tune/tunables.hpp"

namespace robust_kbench {

// A kernel of a run: one that it starts from, or one that was proposed.
struct Candidate {
  std::int64_t id = 0;                     // in its run, from 1
  std::string name;                        // for people: the strategy, or a start's name
  std::string text;                        // of its first source, which alone varies
  std::string hash;                        // SHA-256 of the text
  std::vector<std::int64_t> parents = {};  // ids in its run; of a start none
  // The way it is compiled. A start is built or lies where it was found. A proposal's source is a
  // file of the run, and all else is as its start was registered.
  KernelSource kernel;
  // Tunables from the file of tuning parameters beside the start's source.
  TunableDeclarations declarations = {};
  // The time in units of the first parent's: the product of the races that led here.
  double cost = 1;
  std::optional<ProfileRecord> profile = {};     // of a parent, unless the settings leave it out
  std::vector<ConfigTimingRecord> timings = {};  // of a parent's last race, in which it is `kernel`
};

}  // namespace robust_kbench
