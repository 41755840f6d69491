#include "profile/cupti.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "process/demangle.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

struct Total {
  int count = 0;
  double microseconds = 0;
  std::uint64_t bytes = 0;

  void add(const CudaActivity& activity) {
    ++count;
    microseconds += activity.microseconds();
    bytes += activity.bytes;
  }
};

// Totals by name, in the order of the first start.
class Totals {
 public:
  Total& operator[](const std::string& name) {
    const auto found = std::find_if(m_totals.begin(), m_totals.end(),
                                    [&](const auto& total) { return total.first == name; });
    if (found != m_totals.end()) return found->second;
    return m_totals.emplace_back(name, Total()).second;
  }
  [[nodiscard]] auto begin() const { return m_totals.begin(); }
  [[nodiscard]] auto end() const { return m_totals.end(); }

 private:
  std::vector<std::pair<std::string, Total>> m_totals;
};

struct Use {
  double span_us = 0;
  double busy_us = 0;
};

// The use of the GPU by activities, sorted by their start, which may overlap.
Use use_of(const std::vector<CudaActivity>& activities) {
  std::uint64_t busy_ns = 0;
  std::uint64_t end_ns = activities.front().start_ns;
  for (const CudaActivity& activity : activities) {
    busy_ns += activity.end_ns - std::clamp(end_ns, activity.start_ns, activity.end_ns);
    end_ns = std::max(end_ns, activity.end_ns);
  }
  return {.span_us = 1e-3 * static_cast<double>(end_ns - activities.front().start_ns),
          .busy_us = 1e-3 * static_cast<double>(busy_ns)};
}

ToolFinding cupti_finding(const std::string& what, double value, const char* unit,
                          std::string meaning, const std::string& kernel = {}) {
  return {.tool = "cupti",
          .what = what,
          .value = value,
          .unit = unit,
          .severity = Severity::info,
          .meaning = std::move(meaning),
          .where = {.kernel = kernel}};
}

std::string of(const Total& total) {
  return fmt::format(": {} of {} bytes together", total.count, total.bytes);
}

}  // namespace

std::vector<ToolFinding> cupti_findings(const std::vector<CudaActivity>& activities) {
  if (activities.empty()) return {};
  Totals kernels;
  Totals copies;
  Total memsets;
  for (const CudaActivity& activity : activities) {
    if (activity.kind == CudaActivity::Kind::memset) {
      memsets.add(activity);
    } else if (activity.kind == CudaActivity::Kind::copy) {
      copies[activity.name].add(activity);
    } else {
      kernels[activity.name].add(activity);
    }
  }
  const Use use = use_of(activities);
  std::vector<ToolFinding> findings{
      cupti_finding("span", use.span_us, "us", "of one call, from the first start to the last end"),
      cupti_finding("idle", use.span_us > 0 ? 100 * (1 - use.busy_us / use.span_us) : 0, "%",
                    "of that span, in which nothing runs")};
  for (const auto& [way, total] : copies) {
    std::string what = "copies " + way;
    std::replace(what.begin(), what.end(), ' ', '_');
    findings.push_back(
        cupti_finding(what, total.microseconds, "us", "of copies " + way + of(total)));
  }
  if (memsets.count > 0) {
    findings.push_back(
        cupti_finding("memsets", memsets.microseconds, "us", "of memsets" + of(memsets)));
  }
  for (const auto& [mangled, total] : kernels) {
    const std::string name = demangled(mangled);
    findings.push_back(
        cupti_finding("launches", total.count, "launches", "launches in one call", name));
    findings.push_back(cupti_finding("duration", total.microseconds, "us",
                                     "in which it runs in one call, all launches together", name));
  }
  return findings;
}

}  // namespace robust_kbench
