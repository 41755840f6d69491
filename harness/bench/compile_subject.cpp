#include "bench/compile_subject.hpp"

#include <utility>
#include <vector>

#include "bench/worker_tensors.hpp"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

namespace robust_kbench {
namespace {

class CompileSubject final : public Subject {
 public:
  CompileSubject(const std::string& package, Arena& arena, ArenaAllocator& allocator)
      : m_package(package), m_arena(arena), m_allocator(allocator) {}

  Loaded load(const Load&) override { return {.parameters = {}, .headers = "torch"}; }

  void prepare(const std::vector<Call>& calls) override {
    m_allocator.begin_batch();
    m_outputs.resize(calls.size());
    for (const Call& call : calls) {
      std::vector<at::Tensor>& inputs = m_inputs.emplace_back();
      for (const ArgumentValue& argument : call.arguments) {
        at::Tensor tensor = tensor_of(m_arena, argument);
        if (tensor.defined()) inputs.push_back(std::move(tensor));
      }
    }
  }

  void call(std::size_t index) override {
    const c10::InferenceMode inference;
    m_outputs[index] = m_package.run(m_inputs[index]);
  }

  std::vector<std::vector<ResultValue>> collect() override {
    std::vector<std::vector<ResultValue>> results;
    for (const auto& outputs : m_outputs) results.push_back(results_of(m_arena, outputs));
    return results;
  }

  void release() override {
    m_outputs.clear();
    m_inputs.clear();
    m_allocator.end_batch();
  }

 private:
  torch::inductor::AOTIModelPackageLoader m_package;
  Arena& m_arena;
  ArenaAllocator& m_allocator;
  std::vector<std::vector<at::Tensor>> m_inputs;
  std::vector<std::vector<at::Tensor>> m_outputs;
};

}  // namespace

std::unique_ptr<Subject> make_compile_subject(const std::string& package, Arena& arena,
                                              ArenaAllocator& allocator) {
  try {
    return std::make_unique<CompileSubject>(package, arena, allocator);
  } catch (const std::exception& error) {
    throw SubjectError(Failure::load_error,
                       "torch cannot load the package " + package + ": " + error.what());
  }
}

}  // namespace robust_kbench
