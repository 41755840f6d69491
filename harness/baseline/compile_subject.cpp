#include "baseline/compile_subject.hpp"

#include <utility>
#include <vector>

#include "baseline/torch_subject.hpp"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

namespace robust_kbench {
namespace {

class CompileSubject final : public TorchSubject {
 public:
  CompileSubject(const std::string& package, Arena& arena, ArenaAllocator* allocator)
      : TorchSubject(arena, allocator), m_package(package) {}

 protected:
  void add_call(std::vector<at::Tensor> tensors) override {
    std::erase_if(tensors, [](const at::Tensor& tensor) { return !tensor.defined(); });
    m_inputs.push_back(std::move(tensors));
  }

  std::vector<at::Tensor> results_of_call(std::size_t index) override {
    const c10::InferenceMode inference;
    return m_package.run(m_inputs[index]);
  }

  void drop_calls() override { m_inputs.clear(); }

 private:
  torch::inductor::AOTIModelPackageLoader m_package;
  std::vector<std::vector<at::Tensor>> m_inputs;
};

}  // namespace

std::unique_ptr<Subject> make_compile_subject(const std::string& package, Arena& arena,
                                              ArenaAllocator* allocator) {
  try {
    return std::make_unique<CompileSubject>(package, arena, allocator);
  } catch (const std::exception& error) {
    throw SubjectError(Failure::load_error,
                       "torch cannot load the package " + package + ": " + error.what());
  }
}

}  // namespace robust_kbench
