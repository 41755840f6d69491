#include "cli/solutions/fast_p.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

constexpr std::array fractions{0.0, 0.5, 0.8, 1.0, 1.5, 2.0};  // KernelBench's

// A rule of ours may have ended the case before its outputs were compared.
bool is_beyond_kernelbench(const Judgement& judgement) {
  switch (judgement.verdict) {
    case Verdict::cheat:
    case Verdict::sandbox_violation:
    case Verdict::unsafe:
    case Verdict::skipped:
    case Verdict::harness_error:
      return true;
    default:
      return false;
  }
}

// Returns none where it was not timed.
std::optional<double> speedup_over_eager(const KernelRecord& record) {
  const auto found = std::ranges::find(record.mean_speedups, "eager", &SpeedupRecord::against);
  if (found == record.mean_speedups.end()) return std::nullopt;
  return found->ratio;
}

std::string share(std::size_t count, std::size_t all) {
  return fmt::format("{:.2f}", static_cast<double>(count) / static_cast<double>(all));
}

std::string count_of(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// The solutions that KernelBench's rule accepts, and the number that it says nothing of.
struct Opinion {
  std::vector<const KernelRecord*> accepted;
  std::size_t unknown = 0;
};

Opinion opinion_of_kernelbench(const std::vector<KernelRecord>& records) {
  Opinion opinion;
  for (const KernelRecord& record : records) {
    const std::optional<bool> accepts = kernelbench_accepts(record);
    if (!accepts) ++opinion.unknown;
    if (accepts.value_or(false)) opinion.accepted.push_back(&record);
  }
  return opinion;
}

// The shares of `all` solutions, those that were refused included.
Table fast_p_table(const std::vector<KernelRecord>& records, const Opinion& kernelbench,
                   std::size_t all) {
  Table table({"", "KernelBench's rule", "ours"});
  const bool timed = std::ranges::any_of(
      records, [](const KernelRecord& record) { return speedup_over_eager(record).has_value(); });
  for (const double p : fractions) {
    if (p > 0 && !timed) break;
    const auto is_fast = [&](const KernelRecord& record) {
      if (!record.judgement.passes()) return false;
      return p == 0 || speedup_over_eager(record).value_or(0) > p;
    };
    const auto ours = static_cast<std::size_t>(std::ranges::count_if(records, is_fast));
    const bool is_known = p == 0 && kernelbench.unknown < records.size();
    table.add({fmt::format("fast_{:g}", p),
               is_known ? share(kernelbench.accepted.size(), all) : "-", share(ours, all)});
  }
  return table;
}

// Names those of the solutions that we reject, by verdict.
std::string rejected_text(const std::vector<const KernelRecord*>& accepted) {
  std::map<std::string, std::vector<std::string>> by_verdict;
  std::size_t rejected = 0;
  for (const KernelRecord* record : accepted) {
    if (record->judgement.passes()) continue;
    ++rejected;
    by_verdict[label(record->judgement)].push_back(record->name);
  }
  if (rejected == 0) return {};
  std::string text = fmt::format("It accepts {} that we reject:\n", count_of(rejected, "solution"));
  for (const auto& [verdict, names] : by_verdict) {
    text += fmt::format("  {} {}: {}\n", names.size(), verdict, fmt::join(names, ", "));
  }
  return text;
}

}  // namespace

std::optional<bool> kernelbench_accepts(const KernelRecord& record) {
  if (!record.build.judgement.passes() && record.cases.empty()) {
    if (record.judgement.verdict == Verdict::skipped) return std::nullopt;
    return false;
  }
  std::optional<bool> accepts;
  bool known = true;
  for (const CaseRecord& trial : record.cases) {
    if (!trial.name.starts_with("single/") || !trial.asks.empty()) continue;
    if (trial.errors.empty()) {
      if (!is_beyond_kernelbench(trial.judgement)) return false;
      known = false;
      continue;
    }
    const auto is_close = [](const OutputError& error) {
      return error.kernelbench_close.value_or(false);
    };
    if (!std::ranges::all_of(trial.errors, is_close)) return false;
    accepts = true;
  }
  return known ? accepts : std::nullopt;
}

std::string fast_p_text(const std::vector<KernelRecord>& records, std::size_t refused) {
  const std::size_t all = records.size() + refused;
  if (all == 0) return {};
  const Opinion kernelbench = opinion_of_kernelbench(records);
  std::string text = fmt::format("\n{}, {} refused\n{}", count_of(all, "solution"), refused,
                                 fast_p_table(records, kernelbench, all).console());
  text +=
      "KernelBench's rule: each trial on the problem's own shape within 1e-4 of the reference. "
      "What we reject\nis not timed, so its fast_p is known for p = 0 alone.\n";
  if (kernelbench.unknown > 0) {
    text += fmt::format(
        "Of {} its rule is not known: that shape was not tested, or a check ended it.\n",
        count_of(kernelbench.unknown, "solution"));
  }
  return text + rejected_text(kernelbench.accepted);
}

std::string glue_text(const std::vector<KernelRecord>& records) {
  std::string text;
  for (const KernelRecord& record : records) {
    if (!record.solution || record.solution->glue.empty()) continue;
    text += fmt::format("{}: with glue: {}\n", record.name, record.solution->glue);
  }
  return text;
}

}  // namespace robust_kbench
