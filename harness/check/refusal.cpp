#include "check/refusal.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

Judgement of_computed_shape(const Judgement& thrown) {
  return {.verdict = Verdict::exception,
          .reason = "the kernel refuses data on a shape that it computes on other data\n" +
                    thrown.reason};
}

}  // namespace

bool may_refuse(const Case& c, Device device) {
  return !c.is_listed() || (device == Device::cuda && c.config.set == ConfigSet::small);
}

Judgement refused(const Judgement& thrown) {
  return {.verdict = Verdict::skipped, .reason = "refused: " + thrown.reason};
}

std::optional<Judgement> Refusals::refused(const Params& params, const Judgement& thrown) {
  if (has_computed(params)) return of_computed_shape(thrown);
  m_refused.emplace_back(params, thrown);
  m_latest = robust_kbench::refused(thrown);
  return std::nullopt;
}

std::optional<Judgement> Refusals::computed(const Params& params) {
  const auto known = std::ranges::find(m_refused, params, &std::pair<Params, Judgement>::first);
  if (known != m_refused.end()) return of_computed_shape(known->second);
  if (!has_computed(params)) m_computed.push_back(params);
  return std::nullopt;
}

bool Refusals::has_computed(const Params& params) const {
  return std::ranges::find(m_computed, params) != m_computed.end();
}

}  // namespace robust_kbench
