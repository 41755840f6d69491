#include "recorder/hooks.hpp"
#include "recorder/log.hpp"
#include "recorder/real_driver.hpp"
#include "recorder/trampolines.hpp"
#include "recording/recorder_control.hpp"

// The library libcuda.so.1 that a worker loads before a kernel. A library that asks the loader for
// the driver by this name gets the one that is there already.
namespace {

// Before any other code of the process can call an export.
__attribute__((constructor)) void connect_exports() {
  namespace recorder = robust_kbench::recorder;
  for (std::size_t slot = 0; slot < recorder::export_count(); ++slot) {
    const char* name = recorder::export_name(slot);
    const recorder::Hook* hook = recorder::hook_of(name);
    recorder::set_target(slot, hook != nullptr ? hook->function : recorder::real_function(name));
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) robust_kbench::RecorderControl*
rkb_recorder_control() {
  return &robust_kbench::recorder::log();
}
