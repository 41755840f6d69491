#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace robust_kbench {

// One piece of code for GPUs in a container of nvcc's.
struct GpuCode {
  std::uint16_t kind;
  std::string_view content;  // may be compressed
};

// Whether it is machine code in place of PTX.
bool is_machine_code(const GpuCode& code);

// The pieces of each container in a section .nv_fatbin. Throws MalformedElf.
std::vector<std::vector<GpuCode>> gpu_code_of(std::string_view section);

}  // namespace robust_kbench
