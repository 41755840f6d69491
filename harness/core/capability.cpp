#include "core/capability.hpp"

#include "core/enum_names.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr EnumNames<Capability, 11> capability_names{
    "capability",
    {{{Capability::threads, "threads"},
      {Capability::clocks, "clocks"},
      {Capability::environment, "environment"},
      {Capability::files, "files"},
      {Capability::memory_mapping, "memory-mapping"},
      {Capability::dynamic_loading, "dynamic-loading"},
      {Capability::driver, "driver"},
      {Capability::signals, "signals"},
      {Capability::system_calls, "system-calls"},
      {Capability::harness, "harness"},
      {Capability::other, "other"}}}};

constexpr EnumNames<Capability, 11> examples{
    "capability",
    {{{Capability::threads, "std::thread, OpenMP, cudaLaunchHostFunc"},
      {Capability::clocks, "std::chrono, clock64(), %globaltimer, rdtsc, sleep"},
      {Capability::environment, "getenv, names of the machine or the program"},
      {Capability::files, "open, std::ifstream, paths such as /proc; to print is none"},
      {Capability::memory_mapping, "mmap, mprotect, pinned or managed memory"},
      {Capability::dynamic_loading, "dlopen, dlsym, NVRTC"},
      {Capability::driver, "functions of CUDA's driver but cuTensorMapEncode*"},
      {Capability::signals, "signal, raise, alarm"},
      {Capability::system_calls, "syscall, fork, sockets, ioctl, _exit"},
      {Capability::harness, "names with rkb_, RKB_ or robust_kbench"},
      {Capability::other,
       "functions that are neither the C and C++ libraries' for computing, torch's, nor those of "
       "CUDA's runtime and mathematical libraries"}}}};

std::string in_words(const CapabilityUse& use) {
  const std::string place =
      use.line == 0 ? "" : " (" + use.source + ":" + std::to_string(use.line) + ")";
  return std::string(to_string(use.capability)) + ": " + use.symbol + place;
}

}  // namespace

std::string_view to_string(Capability capability) {
  return capability_names.name_of(capability);
}

Capability parse_capability(std::string_view name) {
  return capability_names.parse(name);
}

std::string_view examples_of(Capability capability) {
  return examples.name_of(capability);
}

Capabilities all_capabilities() {
  Capabilities all;
  for (const auto& [capability, name] : capability_names.rows) all.insert(capability);
  return all;
}

Capabilities parse_capabilities(const std::vector<std::string>& names) {
  Capabilities parsed;
  for (const std::string& name : names) {
    if (name == "all") return all_capabilities();
    parsed.insert(parse_capability(name));
  }
  return parsed;
}

std::vector<std::string> names_in_list(const Capabilities& capabilities) {
  std::vector<std::string> names;
  for (const Capability capability : capabilities) names.emplace_back(to_string(capability));
  return names;
}

std::string names_of(const Capabilities& capabilities) {
  std::string text;
  for (const Capability capability : capabilities) {
    text += (text.empty() ? "" : ", ") + std::string(to_string(capability));
  }
  return text;
}

Capabilities refused_by_default(Device device) {
  Capabilities refused = all_capabilities();
  if (device == Device::cpu) {
    refused.erase(Capability::threads);
    refused.erase(Capability::memory_mapping);
  }
  return refused;
}

Capabilities refused_beyond(Device device, const std::vector<std::string>& allowed) {
  Capabilities refused = refused_by_default(device);
  for (const Capability capability : parse_capabilities(allowed)) refused.erase(capability);
  return refused;
}

std::string used_capabilities(const std::vector<CapabilityUse>& uses) {
  Capabilities used;
  for (const CapabilityUse& use : uses) used.insert(use.capability);
  return used.empty() ? "-" : names_of(used);
}

std::string capability_refusal(const std::vector<CapabilityUse>& uses,
                               const Capabilities& refused) {
  constexpr int shown = 5;
  std::string text;
  Capabilities needed;
  int count = 0;
  for (const CapabilityUse& use : uses) {
    if (!refused.contains(use.capability)) continue;
    needed.insert(use.capability);
    if (count++ < shown) text += "\n  " + in_words(use);
  }
  if (count == 0) return {};
  if (count > shown) text += "\n  and " + std::to_string(count - shown) + " more";
  return "the kernel's code asks for what this evaluation refuses:" + text +
         "\nleave it out, or allow " + names_of(needed) +
         " (--allow, the setting 'allow' of a run, or ALLOW in CMake)";
}

void to_json(nlohmann::json& json, const CapabilityUse& use) {
  json = {{"class", to_string(use.capability)},
          {"symbol", use.symbol},
          {"source", use.source},
          {"line", use.line}};
}

void from_json(const nlohmann::json& json, CapabilityUse& use) {
  use.capability = parse_capability(json.at("class").get<std::string>());
  json.at("symbol").get_to(use.symbol);
  json.at("source").get_to(use.source);
  json.at("line").get_to(use.line);
}

}  // namespace robust_kbench
