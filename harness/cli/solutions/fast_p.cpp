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
  std::vector<const KernelRecord*> rejected;
  std::size_t accepted = 0;
  std::size_t unknown = 0;
  for (const KernelRecord& record : records) {
    const std::optional<bool> accepts = kernelbench_accepts(record);
    if (!accepts) ++unknown;
    if (!accepts.value_or(false)) continue;
    ++accepted;
    if (!record.judgement.passes()) rejected.push_back(&record);
  }

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
    table.add({fmt::format("fast_{:g}", p),
               p == 0 && unknown < records.size() ? share(accepted, all) : "-", share(ours, all)});
  }
  std::string text =
      fmt::format("\n{}, {} refused\n{}", count_of(all, "solution"), refused, table.console());
  text +=
      "KernelBench's rule: each trial on the problem's own shape within 1e-4 of the reference. "
      "What we reject\nis not timed, so its fast_p is known for p = 0 alone.\n";
  if (unknown > 0) {
    text += fmt::format(
        "Of {} its rule is not known: that shape was not tested, or a check ended it.\n",
        count_of(unknown, "solution"));
  }
  std::map<std::string, std::vector<std::string>> by_verdict;
  for (const KernelRecord* record : rejected) {
    by_verdict[label(record->judgement)].push_back(record->name);
  }
  if (by_verdict.empty()) return text;
  text += fmt::format("It accepts {} that we reject:\n", count_of(rejected.size(), "solution"));
  for (const auto& [verdict, names] : by_verdict) {
    text += fmt::format("  {} {}: {}\n", names.size(), verdict, fmt::join(names, ", "));
  }
  return text;
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
