#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/device.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A class of what a kernel's code asks for (SECURITY.md).
enum class Capability {
  threads,          // threads of the host, and functions that others call
  clocks,           // of the host or a GPU, and sleep
  environment,      // its variables, names of the machine and of the program
  files,            // their functions, and paths such as /proc
  memory_mapping,   // pages of the host, and memory that host and GPU share
  dynamic_loading,  // of libraries, or code that is compiled at run time
  driver,           // of the GPU, below CUDA's runtime
  signals,          // and timers
  system_calls,     // by instruction or function, with other processes and sockets
  harness,          // names of this harness
  other,            // what is in no class and not known to be harmless
};

using Capabilities = std::set<Capability>;

// "memory-mapping".
std::string_view to_string(Capability capability);
// Throws UserError that lists the names.
Capability parse_capability(std::string_view name);

Capabilities all_capabilities();
// The capabilities of these names, "all" among them. Throws UserError.
Capabilities parse_capabilities(const std::vector<std::string>& names);
// Their names in the order of the enumeration.
std::vector<std::string> names_in_list(const Capabilities& capabilities);
// "threads, clocks".
std::string names_of(const Capabilities& capabilities);

// Examples of what belongs to a capability, in words for a person or a model.
std::string_view examples_of(Capability capability);

// What nobody needs who looks for fast kernels: on a GPU all capabilities, on a CPU all but threads
// and memory mapping.
Capabilities refused_by_default(Device device);

// What is left of that if the capabilities of these names are allowed. Throws UserError.
Capabilities refused_beyond(Device device, const std::vector<std::string>& allowed);

// One way in which a kernel's code uses a capability.
struct CapabilityUse {
  Capability capability = Capability::other;
  std::string symbol;  // a function, an instruction, a register or a string, escaped
  std::string source;  // the file's name, escaped; empty where the line is unknown
  int line = 0;        // from 1; 0 if unknown

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the 0 of a comparison for a pointer.
  friend auto operator<=>(const CapabilityUse&, const CapabilityUse&) = default;
};

// "threads, files", or "-" where a kernel uses none.
std::string used_capabilities(const std::vector<CapabilityUse>& uses);
// Why a kernel with these uses is refused, or empty if all that it uses is allowed.
std::string capability_refusal(const std::vector<CapabilityUse>& uses, const Capabilities& refused);

void to_json(nlohmann::json& json, const CapabilityUse& use);
void from_json(const nlohmann::json& json, CapabilityUse& use);

}  // namespace robust_kbench
