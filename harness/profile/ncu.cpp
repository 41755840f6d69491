#include "profile/ncu.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/error.hpp"
#include "process/demangle.hpp"
#include "process/escape.hpp"
#include "profile/ncu_metrics.hpp"

namespace robust_kbench {
namespace {

using Row = std::vector<std::string>;

constexpr const char* duration = "gpu__time_duration.sum";
constexpr const char* bad_log = "ncu wrote no table; its log ends:\n";

std::string stall_metric(const StallReason& reason) {
  return std::string("smsp__average_warps_issue_stalled_") + reason.name +
         "_per_issue_active.ratio";
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Every cell is quoted, and a quote inside is doubled.
Row cells_of(std::string_view line) {
  Row cells;
  std::string cell;
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && inside && i + 1 < line.size() && line[i + 1] == '"') {
      cell += line[++i];
    } else if (line[i] == '"') {
      inside = !inside;
    } else if (line[i] == ',' && !inside) {
      cells.push_back(std::move(cell));
      cell.clear();
    } else if (line[i] != '\r') {
      cell += line[i];
    }
  }
  cells.push_back(std::move(cell));
  return cells;
}

// Reads a number such as "1,817,059.83". Returns nullopt for "", "n/a", "no data" and words.
std::optional<double> ncu_number(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool whole = !text.empty() && *end == '\0';
  return whole && value == value ? std::optional(value) : std::nullopt;
}

Aggregate aggregate_of(const std::string& name) {
  const auto metrics = ncu_metrics();
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const NcuMetric& m) { return m.name == name; });
  return found == metrics.end() ? Aggregate::mean : found->aggregate;
}

// The launches of one kernel.
class Launches {
 public:
  void add(const std::map<std::string, double>& launch) {
    ++m_count;
    const auto time = launch.find(duration);
    const double weight = time == launch.end() ? 1 : time->second;
    for (const auto& [name, value] : launch) {
      const bool sums = aggregate_of(name) == Aggregate::sum;
      auto& [total, weights] = m_totals[name];
      total += sums ? value : value * weight;
      weights += sums ? 0 : weight;
    }
  }

  [[nodiscard]] NcuKernel kernel(const std::string& name) const {
    NcuKernel kernel{.name = name, .launches = m_count, .metrics = {}};
    for (const auto& [metric, total] : m_totals) {
      kernel.metrics[metric] = total.second > 0 ? total.first / total.second : total.first;
    }
    return kernel;
  }

 private:
  int m_count = 0;
  std::map<std::string, std::pair<double, double>> m_totals;  // sum and sum of weights
};

class Table {
 public:
  explicit Table(Row header) : m_header(std::move(header)), m_name(column("Kernel Name")) {
    if (m_name == m_header.size()) throw HarnessError("ncu's table has no column 'Kernel Name'");
  }

  // The row of units has no name.
  void add(const Row& row) {
    if (row.size() != m_header.size() || row[m_name].empty()) return;
    const std::string name = demangled(row[m_name]);
    auto known = std::find_if(m_kernels.begin(), m_kernels.end(),
                              [&](const auto& kernel) { return kernel.first == name; });
    if (known == m_kernels.end()) known = m_kernels.insert(known, {name, {}});
    std::map<std::string, double> launch;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (const auto value = ncu_number(row[i])) launch[m_header[i]] = *value;
    }
    known->second.add(launch);
  }

  [[nodiscard]] std::vector<NcuKernel> kernels() const {
    std::vector<NcuKernel> kernels;
    for (const auto& [name, launches] : m_kernels) kernels.push_back(launches.kernel(name));
    return kernels;
  }

 private:
  [[nodiscard]] std::size_t column(std::string_view name) const {
    return static_cast<std::size_t>(std::find(m_header.begin(), m_header.end(), name) -
                                    m_header.begin());
  }

  Row m_header;
  std::size_t m_name;
  std::vector<std::pair<std::string, Launches>> m_kernels;
};

// Turns the metrics of one kernel into findings.
class Interpreter {
 public:
  explicit Interpreter(const NcuKernel& kernel) : m_kernel(kernel) {}

  std::vector<ToolFinding> findings() && {
    add("launches", m_kernel.launches, "launches", "launches in one call");
    for (const NcuMetric& metric : ncu_metrics()) {
      const auto value = get(metric.name);
      // If 0 bytes of a sector are used, the kernel has no such access.
      const bool none = value == 0.0 && std::string_view(metric.what).starts_with("bytes_per_");
      if (value && *metric.what != '\0' && !none) {
        add(metric.what, *value * metric.scale, metric.unit, metric.meaning);
      }
    }
    add_quotient("sectors_per_load", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                 "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1, "sectors",
                 "sectors of 32 bytes that a warp's global load touches");
    add_quotient("sectors_per_store", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                 "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 1, "sectors",
                 "sectors of 32 bytes that a warp's global store touches");
    add_quotient(
        "bank_conflicts_loading", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 100, "%",
        "of the passes through shared memory that loads take, those due to bank conflicts");
    add_quotient(
        "bank_conflicts_storing", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 100, "%",
        "of the passes through shared memory that stores take, those due to bank conflicts");
    add_quotient("sm_active", "sm__cycles_active.avg", "sm__cycles_elapsed.avg", 100, "%",
                 "of the kernel's time, that in which an SM has work, on average");
    add_stalls();
    return std::move(m_findings);
  }

 private:
  [[nodiscard]] std::optional<double> get(const std::string& name) const {
    const auto found = m_kernel.metrics.find(name);
    return found == m_kernel.metrics.end() ? std::nullopt : std::optional(found->second);
  }

  void add(const std::string& what, double value, const char* unit, const std::string& meaning) {
    m_findings.push_back({.tool = "ncu",
                          .what = what,
                          .value = value,
                          .unit = unit,
                          .severity = Severity::info,
                          .meaning = meaning,
                          .where = {.kernel = m_kernel.name}});
  }

  void add_quotient(const char* what, const char* dividend, const char* divisor, double scale,
                    const char* unit, const char* meaning) {
    const auto a = get(dividend);
    const auto b = get(divisor);
    if (a && b && *b > 0) add(what, scale * *a / *b, unit, meaning);
  }

  // Adds the greatest stalls, each as a share of a warp's time.
  void add_stalls() {
    constexpr std::size_t most = 3;
    constexpr double min_percent = 5;
    std::vector<std::pair<double, const StallReason*>> stalls;
    double total =
        get("smsp__average_warps_issue_stalled_selected_per_issue_active.ratio").value_or(0);
    for (const StallReason& reason : stall_reasons()) {
      const auto cycles = get(stall_metric(reason));
      if (!cycles) continue;
      total += *cycles;
      stalls.emplace_back(*cycles, &reason);
    }
    if (total <= 0) return;
    std::stable_sort(stalls.begin(), stalls.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    stalls.resize(std::min(stalls.size(), most));
    for (const auto& [cycles, reason] : stalls) {
      const double percent = 100 * cycles / total;
      if (percent < min_percent) break;
      add(std::string("stall_") + reason->name, percent, "%",
          std::string("of a warp's time is spent waiting ") + reason->meaning);
    }
  }

  const NcuKernel& m_kernel;
  std::vector<ToolFinding> m_findings;
};

// True if one of ncu's own messages contains the words.
bool says(const std::vector<std::string>& lines, std::string_view words) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.starts_with("==") && line.find(words) != std::string::npos;
  });
}

}  // namespace

std::vector<std::string> ncu_arguments() {
  std::string names = "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio";
  for (const NcuMetric& metric : ncu_metrics()) names += std::string(",") + metric.name;
  for (const StallReason& reason : stall_reasons()) names += "," + stall_metric(reason);
  // Clocks are left as they are, since locking them affects others and needs rights.
  return {"--csv",   "--page",          "raw",  "--print-units", "base", "--print-kernel-base",
          "mangled", "--clock-control", "none", "--metrics",     names};
}

std::vector<NcuKernel> parse_ncu(std::string_view log) {
  const std::vector<std::string> lines = lines_of(log);
  if (says(lines, "ERR_NVGPUCTRPERM")) {
    throw UserError(
        "ncu may not read the GPU's counters; run as root, or let the driver give them to all "
        "(NVreg_RestrictProfilingToAdminUsers=0)");
  }
  const auto header = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("\"ID\",");
  });
  if (header == lines.end()) {
    if (says(lines, "No kernels were profiled")) return {};
    constexpr std::size_t quoted = 600;
    throw HarnessError(bad_log + escaped(log.substr(log.size() - std::min(log.size(), quoted))));
  }
  Table table(cells_of(*header));
  for (auto line = header + 1; line != lines.end(); ++line) {
    if (line->starts_with("\"")) table.add(cells_of(*line));
  }
  return table.kernels();
}

std::vector<ToolFinding> ncu_findings(const std::vector<NcuKernel>& kernels) {
  std::vector<ToolFinding> findings;
  for (const NcuKernel& kernel : kernels) {
    const std::vector<ToolFinding> found = Interpreter(kernel).findings();
    findings.insert(findings.end(), found.begin(), found.end());
  }
  return findings;
}

}  // namespace robust_kbench
