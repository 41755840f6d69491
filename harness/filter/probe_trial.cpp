#include "filter/probe_trial.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "check/content_cache.hpp"
#include "check/limits_cache.hpp"
#include "check/reference_threads.hpp"
#include "core/error.hpp"
#include "evaluate/probe_cases.hpp"
#include "evaluate/reference_seconds.hpp"
#include "filter/stand_in_trial.hpp"
#include "tensor/reference.hpp"
#include "tensor/root_mean_square.hpp"

#include <c10/util/Exception.h>
#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Number of nonces, which choose several configs of a set.
constexpr std::uint64_t nonces = 3;
// Beyond this error the task's dtype and float64 agree in no digit that a test could demand.
constexpr double most_error = 1e-2;

bool any(const at::Tensor& tensor) {
  return tensor.any().item<bool>();
}

// The reason why an output of torch cannot be held to the reference.
std::optional<std::string> reason_against(const at::Tensor& own, const at::Tensor& reference) {
  if (!reference.defined()) return std::nullopt;
  if (!reference.is_floating_point()) {
    if (own.equal(reference)) return std::nullopt;
    return "torch itself decides otherwise than in float64 there";
  }
  if (any(reference.isnan())) return "the reference has NaN there";
  if (any(reference.isfinite().logical_and(own.isfinite().logical_not()))) {
    return "torch's own result overflows there";
  }
  const at::Tensor finite = reference.isfinite();
  const at::Tensor exact = reference.masked_fill(finite.logical_not(), 0);
  const at::Tensor off = own.to(at::kDouble).sub(exact).masked_fill_(finite.logical_not(), 0);
  const double size = root_mean_square(exact);
  const double error = root_mean_square(off);
  if (error <= most_error * size) return std::nullopt;
  if (size == 0) return "torch's own result is not 0 there, as the reference is";
  return fmt::format("torch's own result errs by {:.0e} of it there", error / size);
}

class ProbeTrial {
 public:
  explicit ProbeTrial(const FilterSubject& subject) : m_subject(subject) {}

  std::vector<InapplicableProbe> failed() {
    std::map<Probe, Case> least;  // of probes without a quick case
    for (std::uint64_t nonce = 1; nonce <= nonces; ++nonce) {
      const ProbeCases probes = probe_cases(m_subject.manifest(), m_subject.task(),
                                            m_subject.direction(), Device::cpu, nonce);
      for (Case of : probes.cases) {
        if (seconds_of(of) > quick_reference_seconds) {
          const auto known = least.try_emplace(*of.probe, of).first;
          if (seconds_of(of) < seconds_of(known->second)) known->second = of;
          continue;
        }
        for (of.seed = 1; of.seed <= 2; ++of.seed) attempt(of);
      }
    }
    for (const auto& [probe, of] : least) {
      if (!m_probes.contains(probe)) attempt(of);
    }
    return std::move(m_failed);
  }

 private:
  [[nodiscard]] double seconds_of(const Case& of) const {
    return reference_seconds(m_subject.workload(of.config.params), Device::cpu);
  }

  void attempt(const Case& of) {
    m_probes.insert(*of.probe);
    if (std::ranges::find(m_failed, *of.probe, &InapplicableProbe::probe) != m_failed.end()) return;
    if (!m_tried.insert(content_key(of, of.seed)).second) return;
    if (auto reason = reason_against(of)) {
      m_failed.push_back({*of.probe, std::move(*reason), m_subject.direction()});
    }
  }

  std::optional<std::string> reason_against(const Case& of) {
    const Workload workload = m_subject.workload(of.config.params);
    const ReferenceThreads threads(workload);
    try {
      const auto content = m_subject.content(of, of.seed);
      const std::vector<at::Tensor> own = eager(workload, content->tensors);
      // NaN in the reference is the purpose of this probe.
      const bool is_about_nan = of.probe == Probe::nan_and_infinity;
      for (std::size_t i = 0; i < own.size() && !is_about_nan; ++i) {
        if (auto reason = robust_kbench::reason_against(own[i], content->references[i])) {
          return reason;
        }
      }
      StandInTrial trial({.name = "torch's own result",
                          .outputs = all_outputs(m_subject),
                          .answer = [&](const Case&, const Content&) { return own; }});
      trial.judge(m_subject, of, *content, *m_subject.limits(of, of.seed));
      if (trial.accepted()) return std::nullopt;
      return "torch's own result fails there: " + trial.reason();
    } catch (const c10::Error&) {
      return "torch refuses such content";
    }
  }

  const FilterSubject& m_subject;
  std::set<std::string> m_tried;
  std::set<Probe> m_probes;  // tried at least once
  std::vector<InapplicableProbe> m_failed;
};

}  // namespace

std::vector<InapplicableProbe> failed_probes(const FilterSubject& subject) {
  return ProbeTrial(subject).failed();
}

}  // namespace robust_kbench
