#include <cstdint>
#include <string_view>

#include "recorder/hooks.hpp"
#include "recorder/log.hpp"
#include "recorder/real_driver.hpp"
#include "recorder/trampolines.hpp"

// Programs ask the driver for functions by name and version. They get the recorder's function, or
// code that counts.
namespace robust_kbench::recorder {
namespace {

constexpr std::uint64_t per_thread_flag = 2;  // CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM

using Lookup = int (*)(const char*, void**, int, std::uint64_t, int*);
using OldLookup = int (*)(const char*, void**, int, std::uint64_t);

void replace(const char* name, void** function, int version, std::uint64_t flags) {
  if (*function == nullptr) return;
  if (const Hook* hook = hook_for(name, version, (flags & per_thread_flag) != 0)) {
    *function = counted(hook->name, hook->function);
  } else {
    *function = counted(name, *function);
  }
  if (*function == nullptr) {
    log().refuse(ReplayObstacle::Kind::unknown_call, "more functions than can be counted");
    *function = real_function(name);
  }
}

int look_up(const char* name, void** function, int version, std::uint64_t flags, int* status) {
  static const auto next = real<Lookup>("cuGetProcAddress_v2");
  const int result = next(name, function, version, flags, status);
  if (result == 0) replace(name, function, version, flags);
  return result;
}

int look_up_old(const char* name, void** function, int version, std::uint64_t flags) {
  static const auto next = real<OldLookup>("cuGetProcAddress");
  const int result = next(name, function, version, flags);
  if (result == 0) replace(name, function, version, flags);
  return result;
}

}  // namespace

std::vector<Hook> lookup_hooks() {
  return {hook("cuGetProcAddress_v2", &look_up, 12000), hook("cuGetProcAddress", &look_up_old)};
}

}  // namespace robust_kbench::recorder
