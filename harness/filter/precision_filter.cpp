#include "filter/precision_filter.hpp"

#include "core/counted.hpp"
#include "filter/precision_claims.hpp"
#include "filter/usual_cases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

Measurement own_measurement(const OutputPrecision& found, const std::string& cases) {
  Measurement measured{"torch's own error in " + found.output + ", of what is allowed", cases,
                       found.share};
  if (found.error) {
    measured.note = fmt::format("root mean square {:.2g} of the output, {:.2g} is allowed",
                                *found.error, *found.limit);
  }
  return measured;
}

}  // namespace

FilterResult precision_filter(const FilterSubject& subject) {
  FilterResult result{
      .filter = Filter::precision, .direction = subject.direction(), .threshold = 1.0};
  const PrecisionClaims claims =
      precision_claims(subject, usual_cases(subject), coarse_kernels(subject));
  const std::string cases = counted(claims.cases, "case");
  for (const OutputPrecision& found : claims.outputs) {
    result.measurements.push_back(own_measurement(found, cases));
  }
  std::vector<std::string> accepted;
  for (const StandInTrial& trial : claims.trials) {
    result.measurements.push_back({trial.kernel().name, trial.rejected_on().value_or("all cases"),
                                   trial.error(), trial.accepted() ? "accepted" : trial.reason()});
    if (trial.accepted()) accepted.push_back(trial.kernel().name);
  }
  result.value = static_cast<double>(accepted.size() + (claims.failed_on ? 1 : 0));
  if (*result.value == 0) return result;
  result.status = FilterStatus::caught;
  if (claims.failed_on) {
    result.reason =
        fmt::format("torch's own result fails {}: {}", *claims.failed_on, claims.reason);
  }
  if (!accepted.empty()) {
    result.reason += fmt::format("{}all {} accept torch with {}", result.reason.empty() ? "" : "; ",
                                 cases, fmt::join(accepted, ", "));
  }
  return result;
}

}  // namespace robust_kbench
