#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recording/recording.hpp"

namespace robust_kbench {

// The code of a recording, loaded into this process's context: images without PTX, the kernels and
// the variables in them. It stays loaded until the process ends.
class ReplayCode {
 public:
  struct Parameter {
    std::size_t offset = 0;
    std::size_t bytes = 0;
  };
  struct Kernel {
    void* handle = nullptr;
    std::vector<Parameter> parameters;
  };

  // Throws HarnessError for code that the driver refuses, and for PTX.
  explicit ReplayCode(const Recording& recording);

  [[nodiscard]] const Kernel& kernel(std::uint32_t function) const {
    return m_kernels.at(function);
  }
  [[nodiscard]] std::uint64_t variable(std::uint32_t index) const { return m_variables.at(index); }

 private:
  std::vector<Kernel> m_kernels;
  std::vector<std::uint64_t> m_variables;
};

}  // namespace robust_kbench
