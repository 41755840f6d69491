#include "filter/precision_claims.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "check/reference_threads.hpp"
#include "tensor/differences.hpp"
#include "tensor/reference.hpp"
#include "tensor/rms_excess.hpp"

#include <ATen/ops/where.h>

namespace robust_kbench {
namespace {

// Elements that are not finite count as exact.
double greatest_share(const at::Tensor& result, const at::Tensor& reference,
                      const PrecisionLimits& limits) {
  const at::Tensor allowed = reference.abs().mul(limits.rtol).add(limits.atol);
  const at::Tensor shares = result.to(at::kDouble).sub(reference).abs().div(allowed);
  return at::where(shares.isfinite(), shares, 0.0).max().item<double>();
}

class OwnResult {
 public:
  explicit OwnResult(const FilterSubject& subject)
      : m_subject(subject),
        m_trial({.name = "torch's own result",
                 .outputs = all_outputs(subject),
                 .answer = [this](const Case& of, const Content& content) {
                   return m_results = eager(m_subject.workload(of.config.params), content.tensors);
                 }}) {
    for (const Output& output : outputs()) m_found.push_back({.output = output.name});
  }
  OwnResult(const OwnResult&) = delete;
  OwnResult& operator=(const OwnResult&) = delete;

  void judge(const Case& of, const Content& content, const std::vector<PrecisionLimits>& limits) {
    if (!m_trial.accepted()) return;
    m_trial.judge(m_subject, of, content, limits);
    // Content that is not finite gives no error.
    if (!m_trial.accepted() || of.probe == Probe::nan_and_infinity) return;
    for (std::size_t i = 0; i < outputs().size(); ++i) {
      const bool is_measured =
          content.references[i].defined() && c10::isFloatingType(outputs()[i].dtype);
      if (is_measured) measure(i, content_kind(of, of.seed), content.references[i], limits[i]);
    }
  }

  void tell(PrecisionClaims& claims) const {
    claims.failed_on = m_trial.rejected_on();
    claims.reason = m_trial.reason();
    for (std::size_t i = 0; i < m_found.size(); ++i) {
      if (c10::isFloatingType(outputs()[i].dtype)) claims.outputs.push_back(m_found[i]);
    }
  }

 private:
  [[nodiscard]] const std::vector<Output>& outputs() const {
    return contract(m_subject.task(), m_subject.direction()).outputs;
  }

  void measure(std::size_t i, const std::string& kind, const at::Tensor& reference,
               const PrecisionLimits& limits) {
    const at::Tensor& result = m_results[i];
    const Differences off = differences(result.element_size() == 2 ? result.to(at::kFloat) : result,
                                        reference, limits.rtol);
    OutputPrecision& found = m_found[i];
    found.share = std::max(found.share, greatest_share(result, reference, limits));
    SquaredErrors& pool = m_pools[{i, kind}];
    pool += off.squares;
    const double size = pool.reference_rms();
    const bool is_judged = limits.rms && limits.rms->output > 0;
    if (!is_judged || pool.elements < min_judged_elements || size == 0) return;
    const double error = pool.rms() / size;
    const double limit = limits.rms->most * std::max(1.0, size / limits.rms->output) / size;
    const bool is_nearest = !found.error || error / limit > *found.error / *found.limit;
    if (!is_nearest) return;
    found.error = error;
    found.limit = limit;
  }

  const FilterSubject& m_subject;
  std::vector<at::Tensor> m_results;
  StandInTrial m_trial;
  std::vector<OutputPrecision> m_found;
  std::map<std::pair<std::size_t, std::string>, SquaredErrors> m_pools;  // by output and content
};

}  // namespace

PrecisionClaims precision_claims(const FilterSubject& subject, const std::vector<Case>& cases,
                                 std::vector<StandIn> others) {
  PrecisionClaims claims{.cases = cases.size()};
  for (StandIn& other : others) claims.trials.emplace_back(std::move(other));
  OwnResult own(subject);
  for (const Case& of : cases) {
    const ReferenceThreads threads(subject.workload(of.config.params));
    const auto content = subject.content(of, of.seed);
    const OutputLimits limits = subject.limits(of, of.seed);
    own.judge(of, *content, *limits);
    for (StandInTrial& trial : claims.trials) trial.judge(subject, of, *content, *limits);
  }
  own.tell(claims);
  return claims;
}

}  // namespace robust_kbench
