#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "compile/compile.hpp"

#include <nlohmann/json.hpp>

// compile_trial <base> <source>... [-I<directory>]... [-D<definition>]...
//               [--headers=<auto|shim|torch>] [-<option>]...
//
// Compiles a kernel as `rkb evaluate` does, into <base>.so. On the CPU it does so without
// optimisation, unless an option -O<level> is given.
// Writes what became of it to <base>.json. A kernel that does not compile has a test that expects
// so. A kernel with a .cu source is skipped where there is no nvcc.
int main(int argc, char** argv) {
  using namespace robust_kbench;
  const std::string base = argv[1];
  const std::string headers = "--headers=";
  KernelSource kernel{.name = std::filesystem::path(base).filename(), .record = base + ".json"};
  for (int i = 2; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("-I")) {
      kernel.include_directories.push_back(argument.substr(2));
    } else if (argument.starts_with("-D")) {
      kernel.definitions.push_back(argument.substr(2));
    } else if (argument.starts_with(headers)) {
      kernel.headers = parse_kernel_headers(argument.substr(headers.size()));
    } else if (argument.starts_with("-")) {
      kernel.options.push_back(argument);
    } else {
      kernel.sources.push_back(argument);
      if (argument.ends_with(".cu")) kernel.device = Device::cuda;
    }
  }
  const bool says_how = std::ranges::any_of(
      kernel.options, [](const std::string& option) { return option.starts_with("-O"); });
  if (kernel.device == Device::cpu && !says_how) kernel.options.emplace_back("-O0");
  const Toolchain toolchain = load_manifest(RKB_MANIFEST).toolchain;
  std::filesystem::create_directories(std::filesystem::path(base).parent_path());
  CompilerLimits limits = compiler_limits(kernel.device);
  // A build compiles several at a time, and some take all that they may.
  if (kernel.device == Device::cpu) limits.memory_bytes = std::size_t{2} << 30;
  // No test may be decided by how busy the machine is.
  const BuildRecord record =
      compile(kernel, toolchain, base + ".so",
              {.depfile = base + ".d", .timeout = std::chrono::seconds{1200}, .limits = limits});
  std::ofstream(kernel.record) << nlohmann::json(record) << "\n";
}
