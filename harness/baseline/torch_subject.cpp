#include "baseline/torch_subject.hpp"

#include <utility>

#include "baseline/worker_tensors.hpp"

namespace robust_kbench {

void TorchSubject::prepare(const std::vector<Call>& calls) {
  release();  // the batch before may have failed
  if (m_allocator != nullptr) m_allocator->begin_batch();
  m_results.resize(calls.size());
  for (const Call& call : calls) {
    std::vector<at::Tensor> tensors;
    for (const ArgumentValue& argument : call.arguments) {
      tensors.push_back(tensor_of(m_arena, argument));
    }
    add_call(std::move(tensors));
  }
}

void TorchSubject::call(std::size_t index) {
  std::vector<at::Tensor> results = results_of_call(index);
  if (index == 0 || m_allocator != nullptr) m_results[index] = std::move(results);
}

std::vector<std::vector<ResultValue>> TorchSubject::collect() {
  std::vector<std::vector<ResultValue>> results;
  for (const auto& tensors : m_results) results.push_back(results_of(m_arena, tensors));
  return results;
}

bool TorchSubject::drop_results(std::size_t index) {
  m_results[index].clear();
  return true;
}

void TorchSubject::release() {
  m_results.clear();
  drop_calls();
  if (m_allocator != nullptr) m_allocator->end_batch();
}

}  // namespace robust_kbench
