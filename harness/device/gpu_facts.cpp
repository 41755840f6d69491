#include "device/gpu_facts.hpp"

#include <array>

#include "device/cuda_driver.hpp"

namespace robust_kbench {
namespace {

// Attributes of cuda.h: CU_DEVICE_ATTRIBUTE_...
constexpr int max_threads_per_block = 1;
constexpr int max_shared_memory_per_block = 8;
constexpr int max_registers_per_block = 12;
constexpr int clock_rate = 13;  // kHz
constexpr int multiprocessor_count = 16;
constexpr int memory_clock_rate = 36;        // kHz
constexpr int global_memory_bus_width = 37;  // bits
constexpr int l2_cache_size = 38;
constexpr int max_shared_memory_per_block_optin = 97;

int attribute_of(const CudaDriver& driver, int which) {
  int value = 0;
  driver.check(driver.get_attribute(&value, which, 0), "cuDeviceGetAttribute");
  return value;
}

GpuFacts ask() {
  const CudaDriver& driver = cuda_driver_without_context();
  std::array<char, 128> name{};
  driver.check(driver.get_name(name.data(), static_cast<int>(name.size()), 0), "cuDeviceGetName");
  GpuFacts facts{.name = name.data()};
  facts.multiprocessors = attribute_of(driver, multiprocessor_count);
  facts.sm_mhz = attribute_of(driver, clock_rate) / 1000;
  facts.threads_per_block = attribute_of(driver, max_threads_per_block);
  facts.registers_per_block = attribute_of(driver, max_registers_per_block);
  facts.shared_memory_per_block =
      static_cast<std::size_t>(attribute_of(driver, max_shared_memory_per_block));
  facts.shared_memory_per_block_optin =
      static_cast<std::size_t>(attribute_of(driver, max_shared_memory_per_block_optin));
  facts.l2_bytes = static_cast<std::size_t>(attribute_of(driver, l2_cache_size));
  // Memory transfers data twice per clock.
  facts.memory_bytes_per_s = 2e3 * attribute_of(driver, memory_clock_rate) *
                             attribute_of(driver, global_memory_bus_width) / 8;
  driver.check(driver.get_total_memory(&facts.memory_bytes, 0), "cuDeviceTotalMem");
  return facts;
}

}  // namespace

const GpuFacts& gpu_facts() {
  static const GpuFacts facts = ask();
  return facts;
}

std::size_t free_gpu_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  cuda_driver().check(cuda_driver().get_memory(&free, &total), "cuMemGetInfo");
  return free;
}

}  // namespace robust_kbench
