#include "prompt/device_facts.hpp"

#include <unistd.h>

#include "device/cpu.hpp"
#include "device/gpu_facts.hpp"

namespace robust_kbench {
namespace {

std::map<std::string, long long> facts_of_cpu() {
  std::map<std::string, long long> facts{
      {"cpu_cores", static_cast<long long>(usable_cpus().size())}};
  const auto add = [&](const char* name, int which) {
    const long bytes = sysconf(which);
    if (bytes > 0) facts[name] = bytes;
  };
  add("l1_bytes", _SC_LEVEL1_DCACHE_SIZE);
  add("l2_bytes", _SC_LEVEL2_CACHE_SIZE);
  add("l3_bytes", _SC_LEVEL3_CACHE_SIZE);
  return facts;
}

std::map<std::string, long long> facts_of_gpu() {
  const GpuFacts& gpu = gpu_facts();
  return {
      {"multiprocessors", gpu.multiprocessors},
      {"threads_per_block", gpu.threads_per_block},
      {"registers_per_block", gpu.registers_per_block},
      {"shared_memory_per_block", static_cast<long long>(gpu.shared_memory_per_block)},
      {"shared_memory_per_block_optin", static_cast<long long>(gpu.shared_memory_per_block_optin)},
      {"l2_bytes", static_cast<long long>(gpu.l2_bytes)}};
}

}  // namespace

std::map<std::string, long long> device_facts(Device device) {
  return device == Device::cuda ? facts_of_gpu() : facts_of_cpu();
}

}  // namespace robust_kbench
