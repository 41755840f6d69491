#include "replayer/replay_code.hpp"

#include <string>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "device/graph_driver.hpp"
#include "recording/image.hpp"

namespace robust_kbench {
namespace {

// More parameters than 32 KiB have room for.
constexpr std::size_t most_parameters = 32768;

std::vector<void*> load_images(const Recording& recording) {
  std::vector<void*> libraries;
  for (const std::vector<std::uint8_t>& image : recording.images) {
    // Stripped again, since the recording may come from elsewhere than the recorder.
    const MachineCode code = without_ptx(image);
    if (!code.missing.empty()) throw HarnessError("replay: an image has " + code.missing);
    void*& library = libraries.emplace_back(nullptr);
    cuda_driver().check(graph_driver().load_library(&library, code.image.data(), nullptr, nullptr,
                                                    0, nullptr, nullptr, 0),
                        "cuLibraryLoadData");
  }
  return libraries;
}

std::vector<ReplayCode::Parameter> parameters_of(void* kernel) {
  std::vector<ReplayCode::Parameter> parameters;
  ReplayCode::Parameter parameter;
  while (parameters.size() < most_parameters &&
         graph_driver().get_parameter(kernel, parameters.size(), &parameter.offset,
                                      &parameter.bytes) == 0) {
    parameters.push_back(parameter);
  }
  return parameters;
}

}  // namespace

ReplayCode::ReplayCode(const Recording& recording) {
  const std::vector<void*> libraries = load_images(recording);
  for (const RecordedFunction& function : recording.functions) {
    Kernel kernel;
    cuda_driver().check(graph_driver().get_kernel(&kernel.handle, libraries.at(function.image),
                                                  function.name.c_str()),
                        ("cuLibraryGetKernel of " + function.name).c_str());
    kernel.parameters = parameters_of(kernel.handle);
    m_kernels.push_back(std::move(kernel));
  }
  for (const RecordedVariable& variable : recording.variables) {
    std::uint64_t address = 0;
    std::size_t bytes = 0;
    cuda_driver().check(graph_driver().get_variable(&address, &bytes, libraries.at(variable.image),
                                                    variable.name.c_str()),
                        ("cuLibraryGetGlobal of " + variable.name).c_str());
    m_variables.push_back(address);
  }
}

}  // namespace robust_kbench
