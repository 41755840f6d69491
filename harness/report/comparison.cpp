#include "report/comparison.hpp"

#include <algorithm>
#include <functional>

#include "core/error.hpp"
#include "core/speedup.hpp"
#include "report/changed_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

// The kernels of one name on one device, or those that a place has alone.
struct Pair {
  const Measured* base;
  const Measured* contender;
};

const Measured* same_name(const ComparedSide& side, const Measured& like) {
  const auto found = std::ranges::find_if(side.kernels, [&](const Measured& other) {
    return other.name == like.name && other.place == like.place;
  });
  return found == side.kernels.end() ? nullptr : &*found;
}

// The only kernel of a place, or nullptr.
const Measured* alone(const ComparedSide& side, const std::string& place) {
  const auto is_there = [&](const Measured& other) { return other.place == place; };
  if (place.empty() || std::ranges::count_if(side.kernels, is_there) != 1) return nullptr;
  return &*std::ranges::find_if(side.kernels, is_there);
}

const Measured* counterpart(const Measured& kernel, const ComparedSide& own,
                            const ComparedSide& other) {
  if (const Measured* const same = same_name(other, kernel)) return same;
  return alone(own, kernel.place) == nullptr ? nullptr : alone(other, kernel.place);
}

void require_distinct(const ComparedSide& side) {
  for (const Measured& kernel : side.kernels) {
    if (same_name(side, kernel) == &kernel) continue;
    throw UserError(fmt::format("{} has two measurements of {}{}; compare one run with one run",
                                side.name, kernel.name,
                                kernel.place.empty() ? "" : " (" + kernel.place + ")"));
  }
}

std::vector<Pair> pairs_of(const ComparedSide& base, const ComparedSide& contender,
                           std::vector<NotCompared>& not_compared) {
  std::vector<Pair> pairs;
  for (const Measured& kernel : contender.kernels) {
    const Measured* const other = counterpart(kernel, contender, base);
    if (other != nullptr) pairs.push_back({.base = other, .contender = &kernel});
    if (other == nullptr)
      not_compared.push_back({kernel.name, "it is in " + contender.name + " alone"});
  }
  for (const Measured& kernel : base.kernels) {
    if (counterpart(kernel, base, contender) != nullptr) continue;
    not_compared.push_back({kernel.name, "it is in " + base.name + " alone"});
  }
  return pairs;
}

void add_verdicts(const Pair& pair, std::vector<VerdictChange>& changes) {
  const auto add = [&](const std::string& case_name, const Judgement& base,
                       const Judgement& contender) {
    if (label(base) == label(contender)) return;
    changes.push_back({pair.contender->name, pair.contender->path, case_name, base, contender});
  };
  add("", pair.base->judgement, pair.contender->judgement);
  for (const auto& [name, judgement] : pair.contender->cases) {
    const auto before = pair.base->cases.find(name);
    if (before != pair.base->cases.end()) add(name, before->second, judgement);
  }
}

std::string machines_of(const ComparedSide& side) {
  std::vector<std::string> machines;
  for (const Measured& kernel : side.kernels) {
    const std::string machine = kernel.machine.empty() ? "an unknown machine" : kernel.machine;
    if (std::ranges::find(machines, machine) == machines.end()) machines.push_back(machine);
  }
  return fmt::format("{}", fmt::join(machines, "; "));
}

// The reason why a kernel lacks times of a config.
std::string lack_of(const Measured& kernel, const std::string& side) {
  if (!kernel.judgement.passes()) return fmt::format("{} is {}", side, label(kernel.judgement));
  return side + " has no times" + (kernel.no_times.empty() ? "" : ": " + kernel.no_times);
}

const MeasuredConfig* find_config(const Measured& kernel, const std::string& config) {
  const auto found = std::ranges::find(kernel.configs, config, &MeasuredConfig::config);
  return found == kernel.configs.end() ? nullptr : &*found;
}

// Compares the times of one kernel after another.
class Times {
 public:
  Times(MeasurementComparison& comparison, const CompareOptions& options)
      : m_comparison(comparison), m_options(options) {}

  void add(const Pair& pair) {
    if (pair.base->configs.empty() || pair.contender->configs.empty()) {
      tell_untimed(pair);
      return;
    }
    ComparedKernel kernel{
        .name = pair.contender->name, .base_name = pair.base->name, .path = pair.contender->path};
    const double within = same_within(pair.contender->device);
    std::vector<CaseSamples> cases;
    for (const MeasuredConfig& config : pair.contender->configs) {
      std::optional<CaseSamples> samples = samples_of_both(pair, config);
      if (!samples) continue;
      kernel.cases.push_back(compared_case(config.config, *samples, within));
      cases.push_back(*std::move(samples));
    }
    for (const MeasuredConfig& config : pair.base->configs) {
      if (find_config(*pair.contender, config.config) != nullptr) continue;
      leave_out(*pair.contender, config.config, lack_of(*pair.contender, m_comparison.contender));
    }
    if (cases.empty()) return;
    kernel.mean = change_of(cases, within);
    kernel.beyond = is_beyond(kernel.mean);
    m_within = std::max(m_within, within);
    m_all.insert(m_all.end(), cases.begin(), cases.end());
    m_comparison.kernels.push_back(std::move(kernel));
  }

  void end() {
    if (!m_all.empty()) m_comparison.mean = change_of(m_all, m_within);
  }

 private:
  [[nodiscard]] Basis basis_of(const Pair& pair) const {
    if (m_options.one_race) return Basis::race;
    const bool same = !pair.base->machine.empty() && pair.base->machine == pair.contender->machine;
    return same ? Basis::times : Basis::speedups;
  }

  void leave_out(const Measured& kernel, const std::string& config, const std::string& why) {
    m_comparison.not_compared.push_back(
        {config.empty() ? kernel.name : kernel.name + ", " + config, why});
  }

  // A side has no times of the kernel at all. Where neither tells a reason, none were taken.
  void tell_untimed(const Pair& pair) {
    const auto tells_nothing = [](const Measured& kernel) {
      return kernel.configs.empty() && kernel.judgement.passes() && kernel.no_times.empty();
    };
    if (tells_nothing(*pair.base) && tells_nothing(*pair.contender)) return;
    const bool contender_lacks = pair.contender->configs.empty();
    leave_out(*pair.contender, "",
              contender_lacks ? lack_of(*pair.contender, m_comparison.contender)
                              : lack_of(*pair.base, m_comparison.base));
  }

  // The samples of a config of the contender, or nothing where they cannot be compared.
  std::optional<CaseSamples> samples_of_both(const Pair& pair, const MeasuredConfig& config) {
    const MeasuredConfig* const base = find_config(*pair.base, config.config);
    if (base == nullptr) {
      leave_out(*pair.contender, config.config, lack_of(*pair.base, m_comparison.base));
      return std::nullopt;
    }
    CaseSamples samples = samples_of(*base, config, basis_of(pair));
    if (samples.basis == Basis::speedups && samples.baseline.empty()) {
      leave_out(*pair.contender, config.config,
                "the machines differ, and both sides have no baseline in common");
      return std::nullopt;
    }
    return samples;
  }

  [[nodiscard]] ComparedCase compared_case(const std::string& config, const CaseSamples& samples,
                                           double within) const {
    ComparedCase compared{.config = config,
                          .basis = samples.basis,
                          .baseline = samples.baseline,
                          .base_us = center(samples.base_us),
                          .contender_us = center(samples.contender_us),
                          .change = change_of({samples}, within)};
    if (!samples.baseline.empty()) {
      compared.base_speedup = center(samples.base_speedups);
      compared.contender_speedup = center(samples.contender_speedups);
    }
    compared.beyond = is_beyond(compared.change);
    return compared;
  }

  [[nodiscard]] bool is_beyond(const SpeedupRecord& change) const {
    return change.doubt.empty() && change.ci_high < 1 / (1 + m_options.threshold);
  }

  MeasurementComparison& m_comparison;
  const CompareOptions& m_options;
  std::vector<CaseSamples> m_all;
  double m_within = 0;
};

}  // namespace

bool VerdictChange::is_worse() const {
  return outranks(contender.verdict, base.verdict);
}

bool MeasurementComparison::is_worse() const {
  return std::ranges::any_of(verdicts, &VerdictChange::is_worse) ||
         std::ranges::any_of(kernels, [](const ComparedKernel& kernel) {
           return kernel.beyond || std::ranges::any_of(kernel.cases, &ComparedCase::beyond);
         });
}

MeasurementComparison compare_measurements(const ComparedSide& base, const ComparedSide& contender,
                                           const CompareOptions& options) {
  require_distinct(base);
  require_distinct(contender);
  MeasurementComparison comparison{.base = base.name,
                                   .contender = contender.name,
                                   .threshold = options.threshold,
                                   .base_machines = machines_of(base),
                                   .contender_machines = machines_of(contender)};
  Times times(comparison, options);
  const std::vector<Pair> pairs = pairs_of(base, contender, comparison.not_compared);
  if (pairs.empty()) {
    throw UserError(
        fmt::format("{} and {} have no kernel or benchmark in common; compare files "
                    "of the same kernels, or of one kernel of an entry each",
                    base.name, contender.name));
  }
  comparison.in_both = pairs.size();
  for (const Pair& pair : pairs) {
    add_verdicts(pair, comparison.verdicts);
    times.add(pair);
  }
  times.end();
  std::stable_partition(comparison.verdicts.begin(), comparison.verdicts.end(),
                        std::mem_fn(&VerdictChange::is_worse));
  return comparison;
}

}  // namespace robust_kbench
