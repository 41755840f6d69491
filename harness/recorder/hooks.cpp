#include "recorder/hooks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace robust_kbench::recorder {
namespace {

const std::map<std::string, Hook, std::less<>>& all_hooks() {
  static const std::map<std::string, Hook, std::less<>> hooks = [] {
    std::map<std::string, Hook, std::less<>> by_name;
    for (const auto& of_file : {code_hooks(), launch_hooks(), memory_hooks(), copy_hooks(),
                                order_hooks(), graph_hooks(), lookup_hooks()}) {
      for (const Hook& hook : of_file) by_name.emplace(hook.name, hook);
    }
    return by_name;
  }();
  return hooks;
}

}  // namespace

const Hook* hook_of(std::string_view name) {
  const auto found = all_hooks().find(name);
  return found == all_hooks().end() ? nullptr : &found->second;
}

bool is_hooked(std::string_view name) {
  return hook_of(name) != nullptr;
}

const Hook* hook_for(std::string_view name, int version, bool per_thread) {
  const std::string base(name);
  for (const char* number : {"_v3", "_v2", ""}) {
    for (const char* variant : {"_ptsz", "_ptds", ""}) {
      if (!per_thread && *variant != '\0') continue;
      const Hook* found = hook_of(base + number + variant);
      if (found != nullptr && found->since <= version) return found;
    }
  }
  return nullptr;
}

}  // namespace robust_kbench::recorder
