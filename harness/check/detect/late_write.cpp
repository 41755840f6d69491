#include "check/detect/late_write.hpp"

#include <algorithm>
#include <string>

#include "check/bytes.hpp"

namespace robust_kbench {
namespace {

Judgement late(std::size_t output, std::size_t call, std::size_t calls, const char* what) {
  return cheat(CheatClass::late_write, "output " + std::to_string(output) + " of call " +
                                           std::to_string(call) + " of " + std::to_string(calls) +
                                           " was " + what + " after the calls had returned");
}

}  // namespace

std::optional<Judgement> late_write(const BatchEvidence& evidence) {
  if (!evidence.probe) return std::nullopt;
  const AllocationProbe& probe = *evidence.probe;
  const std::vector<std::int64_t>& indices = probe.indices();
  const at::Tensor words_now = words_at(evidence.arena, indices);
  const auto* was = probe.words().const_data_ptr<std::int64_t>();
  const auto* is = words_now.const_data_ptr<std::int64_t>();
  for (std::size_t call = 0; call < evidence.calls.size(); ++call) {
    for (std::size_t output = 0; output < evidence.calls[call].outputs.size(); ++output) {
      const ResultValue& result = evidence.calls[call].outputs[output];
      const auto range = given_range(evidence.log, result);
      // The gaps between a tensor's elements may belong to other tensors.
      if (!range || has_gaps(std::get<TensorRef>(result), *range)) continue;
      if (!given_range(probe.log(), result))
        return late(output, call, evidence.calls.size(), "made");
      const auto begin = static_cast<std::int64_t>(range->begin / word_bytes);
      const auto end = static_cast<std::int64_t>((range->end - 1) / word_bytes);
      const auto first = std::lower_bound(indices.begin(), indices.end(), begin);
      for (auto index = first; index != indices.end() && *index <= end; ++index) {
        const auto i = index - indices.begin();
        const std::uint64_t mask = mask_of(static_cast<std::uint64_t>(*index), *range);
        if ((static_cast<std::uint64_t>(was[i] ^ is[i]) & mask) == 0) continue;
        return late(output, call, evidence.calls.size(), "written");
      }
    }
  }
  return std::nullopt;
}

}  // namespace robust_kbench
