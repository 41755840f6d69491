#include "baseline/compile_subject.hpp"

#include <utility>
#include <vector>

#include "baseline/torch_subject.hpp"
#include "baseline/unpacked_package.hpp"
#include "core/error.hpp"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/inductor/aoti_runner/model_container_runner.h>

namespace robust_kbench {
namespace {

using Model = torch::inductor::AOTIModelContainerRunner;

// Torch's CUDA libraries, once loaded, register their own way to run a package.
std::unique_ptr<Model> load_model(const UnpackedPackage& package, bool captured, bool gpu) {
  const std::string device = gpu ? "cuda" : "cpu";
  const auto& runners = torch::inductor::getAOTIModelRunnerRegistry();
  const auto runner = runners.find(device);
  if (runner == runners.end()) throw HarnessError("this torch runs no packages on " + device);
  return runner->second(package.library(), 1, device, package.directory(),
                        /*run_single_threaded=*/captured);
}

class CompileSubject final : public TorchSubject {
 public:
  CompileSubject(const std::string& package, bool captured, Arena& arena, ArenaAllocator* allocator)
      : TorchSubject(arena, allocator),
        m_package(package),
        m_model(load_model(m_package, captured, arena.on_gpu())) {}

 protected:
  void add_call(std::vector<at::Tensor> tensors) override {
    std::erase_if(tensors, [](const at::Tensor& tensor) { return !tensor.defined(); });
    m_inputs.push_back(std::move(tensors));
  }

  std::vector<at::Tensor> results_of_call(std::size_t index) override {
    const c10::InferenceMode inference;
    return m_model->run(m_inputs[index]);
  }

  void drop_calls() override { m_inputs.clear(); }

 private:
  UnpackedPackage m_package;
  std::unique_ptr<Model> m_model;
  std::vector<std::vector<at::Tensor>> m_inputs;
};

}  // namespace

std::unique_ptr<Subject> make_compile_subject(const std::string& package, bool captured,
                                              Arena& arena, ArenaAllocator* allocator) {
  try {
    return std::make_unique<CompileSubject>(package, captured, arena, allocator);
  } catch (const std::exception& error) {
    throw SubjectError(Failure::load_error,
                       "torch cannot load the package " + package + ": " + error.what());
  }
}

}  // namespace robust_kbench
