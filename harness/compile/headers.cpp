#include "compile/headers.hpp"

#include <filesystem>

namespace robust_kbench {

Headers shim_headers(const Toolchain& toolchain) {
  return {.name = KernelHeaders::shim,
          .include_flags = {"-I" + toolchain.kernel_include},
          .link_inputs = {toolchain.shim}};
}

Headers torch_headers(const Toolchain& toolchain, bool cuda) {
  const TorchToolchain& torch = toolchain.torch;
  // Torch's headers take a minute or more, on a busy machine several.
  Headers headers{.name = KernelHeaders::torch,
                  .include_flags = {"-I" + torch.kernel_include},
                  .link_inputs = {torch.shim},
                  .timeout_factor = 5};
  for (const std::string& directory : torch.include_directories) {
    headers.include_flags.insert(headers.include_flags.end(), {"-isystem", directory});
  }
  // Torch's headers come first, and have files of the same names. So only the Python layer and the
  // table are found here.
  headers.include_flags.insert(headers.include_flags.end(), {"-isystem", toolchain.kernel_include});

  std::vector<std::string>& link = headers.link_inputs;
  link.insert(link.end(), torch.libraries.begin(), torch.libraries.end());
  if (cuda) {
    link.insert(link.end(), torch.cuda_libraries.begin(), torch.cuda_libraries.end());
    link.emplace_back("-cudart=shared");  // as torch does, so that both see the same errors
  }
  std::vector<std::string> directories = torch.library_directories;
  for (const std::string& library : torch.libraries) {
    directories.push_back(std::filesystem::path(library).parent_path());
  }
  for (const std::string& directory : directories) {
    link.push_back((cuda ? "-Xlinker=-rpath," : "-Wl,-rpath,") + directory);
  }
  return headers;
}

std::string torch_headers_missing(const Toolchain& toolchain, bool cuda) {
  if (toolchain.torch.libraries.empty()) return "this build knows of no torch";
  if (cuda && toolchain.torch.cuda_libraries.empty()) {
    return "torch's headers for CUDA are not here; give a torch that is built for CUDA by "
           "RobustKBench_PYTHON or Torch_DIR";
  }
  return {};
}

}  // namespace robust_kbench
