#include "evaluate/machine.hpp"

#include <chrono>

#include "core/host_name.hpp"
#include "core/version.hpp"
#include "device/cpu.hpp"
#include "device/gpu_state.hpp"
#include "tensor/torch_facts.hpp"

#include <fmt/chrono.h>
#include <torch/headeronly/version.h>

namespace robust_kbench {
namespace {

std::string date_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%FT%TZ}", fmt::gmtime(now));
}

}  // namespace

MachineRecord machine_record(bool gpu) {
  const CpuFacts cpu = cpu_facts();
  return {.date = date_now(),
          .host = host_name(),
          .cpu = cpu.model,
          .cpus = static_cast<int>(cpu.usable_cpus.size()),
          .rkb = rkb_version(),
          .torch = TORCH_VERSION,
          .driver = gpu ? gpu_driver_version() : ""};
}

}  // namespace robust_kbench
