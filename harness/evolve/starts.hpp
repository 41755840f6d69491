#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "prompt/candidate.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The name of a task's plain kernel among the starts of a run.
inline constexpr const char* plain_start = "plain";
// The name of a translation of the task's reference.
inline constexpr const char* translated_start = "translated";

// The starts of a run, which are the kernels that it begins with. First come those of the manifest
// for the entry and device, then `plain` where the task has one, then `further`. Each has a name of
// its own, which is none that records give to others, and the declarations of the tuning file
// beside it. Throws UserError where there is no kernel at all, and for a source, a tunable or a
// tuning file that cannot be read.
std::vector<Candidate> starts_of(const Manifest& manifest, const Entry& entry, Device device,
                                 const std::vector<KernelSource>& further);

// Hashes of all that the starts are compiled from, by name: sources, headers that these include
// between quotes, and the way they are registered.
nlohmann::json identities_of(const std::vector<Candidate>& starts);

}  // namespace robust_kbench
