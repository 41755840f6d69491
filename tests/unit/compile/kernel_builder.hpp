#pragma once

#include <filesystem>
#include <string>

#include "compile/compile.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {

// Compiles kernels for the CPU from texts, without optimisation, in a directory of its own.
class KernelBuilder {
 public:
  std::string write(const std::string& name, const std::string& text) const;
  BuildRecord build(const std::string& text, const std::vector<std::string>& libraries = {},
                    CompileOptions options = {.cache = false}) const;

  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return m_directory.path() / name;
  }

 private:
  TemporaryDirectory m_directory{"unit_compile"};
};

// The toolchain of this build's manifest, or of $ROBUST_KBENCH_MANIFEST.
Toolchain toolchain_of_build();

// A whole kernel that returns its argument. `before` comes before its function.
std::string identity_kernel(const std::string& before = {});

}  // namespace robust_kbench
