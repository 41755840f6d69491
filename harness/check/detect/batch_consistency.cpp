#include "check/detect/batch_consistency.hpp"

#include <algorithm>
#include <string>

namespace robust_kbench {
namespace {

struct Lying {
  ByteRange range;
  std::size_t call;
};

Judgement unlike(std::size_t call, const std::string& what) {
  return wrong_result("call " + std::to_string(call) + " of the batch " + what);
}

bool same_shape(const ResultValue& a, const ResultValue& b) {
  const auto* first = std::get_if<TensorRef>(&a);
  const auto* second = std::get_if<TensorRef>(&b);
  if (first == nullptr || second == nullptr) return a.index() == b.index();
  return first->sizes == second->sizes && first->strides == second->strides &&
         first->dtype == second->dtype && first->device_type == second->device_type;
}

std::optional<Judgement> overlap(std::vector<Lying>& outputs) {
  std::sort(outputs.begin(), outputs.end(),
            [](const Lying& a, const Lying& b) { return a.range.begin < b.range.begin; });
  const Lying* furthest = nullptr;
  for (const Lying& output : outputs) {
    if (furthest != nullptr && output.range.begin < furthest->range.end &&
        output.call != furthest->call) {
      const auto [earlier, later] = std::minmax(output.call, furthest->call);
      return unlike(later, "returned memory of the outputs of call " + std::to_string(earlier));
    }
    if (furthest == nullptr || output.range.end > furthest->range.end) furthest = &output;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Judgement> batch_consistency(const BatchEvidence& evidence) {
  const std::size_t kept = evidence.kept.value();
  const std::vector<CallResult>& calls = evidence.calls;
  const std::vector<ResultValue>& wanted = calls.at(kept).outputs;
  std::vector<Lying> outputs;
  for (std::size_t call = 0; call < calls.size(); ++call) {
    const std::vector<ResultValue>& results = calls[call].outputs;
    if (!std::equal(results.begin(), results.end(), wanted.begin(), wanted.end(), same_shape)) {
      return unlike(call, "returned other shapes than call " + std::to_string(kept));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto range = given_range(evidence.log, results[i]);
      if (range.has_value() != given_range(evidence.log, wanted[i]).has_value()) {
        return unlike(call, "returned memory of another kind than call " + std::to_string(kept));
      }
      if (range) outputs.push_back({*range, call});
    }
  }
  return overlap(outputs);
}

}  // namespace robust_kbench
