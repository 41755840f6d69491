#pragma once

#include <string_view>
#include <vector>

namespace robust_kbench::recorder {

// A function of the recorder's in place of an exported one of the driver. It calls that one, and
// records what it does.
struct Hook {
  const char* name;  // as exported, such as "cuLaunchKernel_ptsz"
  void* function;
  int since = 0;  // the version of CUDA, such as 12000, since which programs that ask by the name
                  // without "_v2" mean this one
};

template <typename Function>
constexpr Hook hook(const char* name, Function* function, int since = 0) {
  return {name, reinterpret_cast<void*>(function), since};
}

// The hooks of each file.
std::vector<Hook> code_hooks();
std::vector<Hook> launch_hooks();
std::vector<Hook> memory_hooks();
std::vector<Hook> copy_hooks();
std::vector<Hook> order_hooks();
std::vector<Hook> graph_hooks();
std::vector<Hook> lookup_hooks();

// The hook of an exported name, or null.
const Hook* hook_of(std::string_view name);
// True if the name, or a variant of it for the per-thread default stream, has a hook.
bool is_hooked(std::string_view name);
// The hook that a program means which asks the driver for `name` by cuGetProcAddress, or null.
const Hook* hook_for(std::string_view name, int version, bool per_thread);

}  // namespace robust_kbench::recorder
