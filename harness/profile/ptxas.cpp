#include "profile/ptxas.hpp"

#include <array>
#include <charconv>
#include <optional>

#include "core/error.hpp"
#include "core/own_command.hpp"
#include "process/demangle.hpp"
#include "process/escape.hpp"
#include "process/temporary_directory.hpp"
#include "profile/tool_output.hpp"

namespace robust_kbench {
namespace {

// A number that ptxas prints for a function, and the words around it.
struct Figure {
  std::string_view before;
  std::string_view after;
  const char* what;
  const char* unit;
  const char* meaning;
};
constexpr std::array<Figure, 9> figures{{
    {"", " bytes stack frame", "stack_frame", "bytes",
     "local memory of each thread for arrays and spilled registers"},
    {"", " bytes spill stores", "spill_stores", "bytes",
     "written to local memory because the registers do not suffice"},
    {"", " bytes spill loads", "spill_loads", "bytes",
     "read back from local memory because the registers do not suffice"},
    {"Used ", " registers", "registers", "registers/thread", "registers of each thread"},
    {"used ", " barriers", "barriers", "barriers", "barriers of each block"},
    {"", " bytes cumulative stack size", "cumulative_stack", "bytes",
     "local memory of each thread with all functions that it calls"},
    {"", " bytes smem", "static_shared_memory", "bytes",
     "shared memory of each block that the source declares"},
    {"", " bytes cmem[0]", "constant_memory", "bytes", "constant memory of its parameters"},
    {"", " bytes lmem", "local_memory", "bytes", "local memory of each thread"},
}};

std::optional<double> value_of(std::string_view item, const Figure& figure) {
  if (!item.starts_with(figure.before) || !item.ends_with(figure.after)) return std::nullopt;
  item.remove_prefix(figure.before.size());
  const std::string_view digits = item.substr(0, item.size() - figure.after.size());
  long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return static_cast<double>(value);
}

std::string_view quoted(std::string_view text, std::size_t from) {
  const std::size_t open = text.find('\'', from);
  if (open == std::string_view::npos) return {};
  const std::size_t close = text.find('\'', open + 1);
  return close == std::string_view::npos ? std::string_view{}
                                         : text.substr(open + 1, close - open - 1);
}

class PtxasReader {
 public:
  void take(std::string_view line) {
    constexpr std::string_view entry = "Compiling entry function '";
    constexpr std::string_view properties = "Function properties for ";
    if (const std::size_t at = line.find(entry); at != std::string_view::npos) {
      const std::string_view name = quoted(line, at);
      m_entry = demangled(name);
      m_architecture = escaped(quoted(line, at + entry.size() + name.size() + 1));
      m_function = m_entry;
    } else if (const std::size_t of = line.find(properties); of != std::string_view::npos) {
      m_function = demangled(line.substr(of + properties.size()));
    } else if (line.find("erformance ") != std::string_view::npos &&
               line.find("oss") != std::string_view::npos) {
      add_loss(line.substr(line.find(": ") == std::string_view::npos ? 0 : line.find(": ") + 2));
    } else {
      take_figures(line);
    }
  }

  std::vector<ToolFinding> findings;

 private:
  // Reads "ptxas info    : Used 32 registers, used 1 barriers, 104 bytes smem".
  void take_figures(std::string_view line) {
    const bool of_entry = line.find(": Used ") != std::string_view::npos;
    if (of_entry) line.remove_prefix(line.find(": Used ") + 2);
    while (!line.empty()) {
      const std::size_t end = std::min(line.find(','), line.size());
      const std::string_view item = line.substr(0, end);
      line.remove_prefix(std::min(end + 1, line.size()));
      const std::size_t first = std::min(item.find_first_not_of(' '), item.size());
      for (const Figure& figure : figures) {
        if (const auto value = value_of(item.substr(first), figure)) {
          add(figure, *value, of_entry ? m_entry : m_function);
        }
      }
    }
  }

  void add(const Figure& figure, double value, const std::string& function) {
    if (function.empty()) return;
    findings.push_back({.tool = "ptxas",
                        .what = figure.what,
                        .value = value,
                        .unit = figure.unit,
                        .severity = Severity::info,
                        .meaning = std::string(figure.meaning) + ", on " + m_architecture,
                        .where = {.kernel = function}});
  }

  void add_loss(std::string_view text) {
    findings.push_back({.tool = "ptxas",
                        .what = "performance_loss",
                        .value = std::nullopt,
                        .unit = "",
                        .severity = Severity::warning,
                        .meaning = escaped(text),
                        .where = {.kernel = m_entry}});
  }

  std::string m_entry;         // the __global__ function that is being compiled
  std::string m_function;      // m_entry or a function that it calls, which the next lines describe
  std::string m_architecture;  // "sm_90"
};

}  // namespace

std::vector<ToolFinding> ptxas_findings(std::string_view output) {
  PtxasReader reader;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    reader.take(output.substr(0, end));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return reader.findings;
}

std::vector<ToolFinding> run_ptxas(const KernelSource& kernel, const Toolchain& toolchain,
                                   const std::vector<std::string>& flags,
                                   const std::stop_token& stop) {
  const TemporaryDirectory directory("ptxas");
  std::vector<ToolFinding> findings;
  for (const std::string& source : kernel.sources) {
    std::vector<std::string> command{toolchain.nvcc};
    command.insert(command.end(), flags.begin(), flags.end());
    const std::string object = directory.path() / "kernel.o";
    command.insert(command.end(), {"-Xptxas=-v", "-c", source, "-o", object});
    const ToolOutput output = run_tool(command, kernel, toolchain, directory.path(), stop);
    if (output.exit_code != 0) {
      throw UserError(source + " does not compile; `" + own_command() + " evaluate` shows why");
    }
    const std::vector<ToolFinding> found = ptxas_findings(output.text);
    findings.insert(findings.end(), found.begin(), found.end());
  }
  return findings;
}

}  // namespace robust_kbench
