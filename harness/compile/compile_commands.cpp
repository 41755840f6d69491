#include "compile/compile_commands.hpp"

#include <algorithm>

#include "compile/append.hpp"
#include "compile/standard_flags.hpp"

namespace robust_kbench {
namespace {

using Arguments = std::vector<std::string>;

void append_prefixed(Arguments& to, const std::string& prefix, const Arguments& from) {
  for (const std::string& value : from) to.push_back(prefix + value);
}

// True if the kernel's objects have to be linked for the device too.
bool has_relocatable_device_code(const KernelSource& kernel) {
  return std::any_of(kernel.options.begin(), kernel.options.end(), [](const std::string& option) {
    return option.starts_with("-rdc") || option.starts_with("--relocatable-device-code") ||
           option == "-dc" || option == "--device-c";
  });
}

}  // namespace

const std::string& compiler_of(const Toolchain& toolchain, Device device) {
  return device == Device::cuda ? toolchain.nvcc : toolchain.cxx;
}

Arguments compile_flags(const KernelSource& kernel, const Headers& headers,
                        const Attempt& attempt) {
  Arguments flags = standard_flags(kernel.device, kernel.fast_math);
  append(flags, headers.include_flags);
  append_prefixed(flags, "-I", kernel.include_directories);
  append_prefixed(flags, "-D", attempt.lean);
  append_prefixed(flags, "-D", kernel.definitions);
  flags.push_back("-DTORCH_EXTENSION_NAME=robust_kbench_kernel");
  append(flags, attempt.included);
  append(flags, kernel.options);
  return flags;
}

Arguments verdict_only(Device device, const std::string& source) {
  if (device != Device::cuda) return {"-fsyntax-only"};
  if (source.ends_with(".cu")) return {"-cubin"};
  return {"-Xcompiler=-fsyntax-only", "-c"};
}

Arguments link_flags(const KernelSource& kernel) {
  // Hides the symbols of a C++ library that the compiler links from an archive. Otherwise torch's
  // library would find its locales through the kernel's, and crash when it prints a number.
  // A kernel's calls of its own functions stay its own. Otherwise one that defines a function of
  // the C library, such as getenv, would call the library's, and its objects would not say so.
  const std::string linker = "-z,now,-z,relro,--exclude-libs,ALL,-Bsymbolic-functions";
  const bool cuda = kernel.device == Device::cuda;
  Arguments flags{"-shared"};
  append(flags, cuda ? Arguments{"-Xlinker=" + linker} : Arguments{"-fopenmp", "-Wl," + linker});
  if (cuda && !has_relocatable_device_code(kernel)) {
    flags.emplace_back("--no-device-link");  // a quarter of nvcc's time to link
  }
  return flags;
}

}  // namespace robust_kbench
