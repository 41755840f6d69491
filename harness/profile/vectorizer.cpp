#include "profile/vectorizer.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/own_command.hpp"
#include "process/escape.hpp"
#include "process/temporary_directory.hpp"
#include "profile/tool_output.hpp"

namespace robust_kbench {
namespace {

struct Remark {
  std::string_view file;
  int line = 0;
  std::string_view kind;  // "note", "missed", "optimized"
  std::string_view text;
};

// Removes the text before a separator, and the separator, and returns that text. Nullopt without a
// separator.
std::optional<std::string_view> take(std::string_view& text, std::string_view separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + separator.size());
  return taken;
}

std::optional<int> digits_value(std::string_view digits) {
  int value = 0;
  const char* end = digits.data() + digits.size();
  const auto [parsed, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || parsed != end) return std::nullopt;
  return value;
}

// Parses "kernel.cpp:13:27: missed: couldn't vectorize loop".
std::optional<Remark> parsed_remark(std::string_view line) {
  Remark remark;
  const auto place = take(line, ": ");
  const auto kind = take(line, ": ");
  if (!place || !kind) return std::nullopt;
  const std::size_t column = place->rfind(':');
  if (column == std::string_view::npos || column == 0) return std::nullopt;
  const std::size_t row = place->rfind(':', column - 1);
  if (row == std::string_view::npos) return std::nullopt;
  const auto parsed = digits_value(place->substr(row + 1, column - row - 1));
  if (!parsed) return std::nullopt;
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return Remark{place->substr(0, row), *parsed, *kind, line};
}

// The reason in a remark such as "not vectorized: control flow in loop." Reasons that do not
// concern the loop are left out. Each vector width is tried, and the last ones always fail for lack
// of a vector type.
std::optional<std::string> reason_of(std::string_view text) {
  constexpr std::string_view call = "statement clobbers memory: ";
  if (text.starts_with(call)) {
    text.remove_prefix(call.size());
    return "it cannot see through " + escaped(text);
  }
  constexpr std::string_view refusal = "not vectorized";
  if (!text.starts_with(refusal)) return std::nullopt;
  for (const std::string_view empty : {"no vectype for stmt", "no grouped stores", "basic block"}) {
    if (text.find(empty) != std::string_view::npos) return std::nullopt;
  }
  text.remove_prefix(std::min(text.find_first_not_of(":, ", refusal.size()), text.size()));
  return escaped(text.substr(0, text.find_last_not_of('.') + 1));
}

// Whether the reason is about an outer loop, around loops that can be vectorized.
bool is_of_nest(std::string_view reason) {
  return reason.find("loop nest") != std::string_view::npos ||
         reason.find("outer-loop") != std::string_view::npos;
}

struct Loop {
  int bytes = 0;            // of the widest vectors; 0: it is not vectorized
  std::string reason = {};  // why it is not vectorized
};

class RemarkReader {
 public:
  void take(const Remark& remark) {
    const std::pair<std::string, int> place(remark.file, remark.line);
    constexpr std::string_view vectorized = "loop vectorized using ";
    if (remark.text.find("analyze_loop_nest") != std::string_view::npos) {
      if (std::exchange(m_analysed, place) != place) m_reason.reset();
    } else if (remark.text.find("in-order (fold-left) reduction") != std::string_view::npos) {
      m_in_order.insert(place);
    } else if (remark.kind == "optimized" && remark.text.starts_with(vectorized)) {
      std::string_view rest = remark.text.substr(vectorized.size());
      Loop& loop = m_loops[place];
      loop.bytes = std::max(loop.bytes, digits_value(rest.substr(0, rest.find(' '))).value_or(0));
    } else if (remark.kind == "missed" && remark.text == "couldn't vectorize loop") {
      Loop& loop = m_loops[place];
      if (loop.reason.empty()) loop.reason = m_reason.value_or("");
    } else if (remark.kind == "missed" && !m_reason) {
      m_reason = reason_of(remark.text);
    }
  }

  [[nodiscard]] std::vector<ToolFinding> findings() const {
    std::vector<ToolFinding> all;
    for (const auto& [place, loop] : m_loops) {
      ToolFinding finding{.tool = "vectorizer",
                          .where = {.file = escaped(place.first), .line = place.second}};
      if (m_in_order.contains(place)) {
        finding.what = "in_order_reduction";
        finding.severity = Severity::warning;
        finding.meaning = "a sum or product is taken one term after another";
      } else if (loop.bytes > 0) {
        finding.what = "vectorized";
        finding.value = loop.bytes;
        finding.unit = "bytes";
        finding.meaning =
            "the loop is vectorized, " + std::to_string(loop.bytes) + " bytes at a time";
      } else if (!is_of_nest(loop.reason)) {
        finding.what = "not_vectorized";
        finding.severity = Severity::warning;
        finding.meaning = "the loop is not vectorized" +
                          (loop.reason.empty() ? std::string() : ": " + loop.reason);
      } else {
        continue;
      }
      all.push_back(std::move(finding));
    }
    return all;
  }

 private:
  std::map<std::pair<std::string, int>, Loop> m_loops;
  std::set<std::pair<std::string, int>> m_in_order;
  std::pair<std::string, int> m_analysed;  // the loop that GCC is analysing
  std::optional<std::string> m_reason;     // the first reason given for it
};

bool is_own(const std::string& file, const Toolchain& toolchain) {
  std::vector<std::string> directories_of_others{"/usr/", toolchain.kernel_include,
                                                 toolchain.torch.kernel_include};
  const std::vector<std::string>& torchs = toolchain.torch.include_directories;
  directories_of_others.insert(directories_of_others.end(), torchs.begin(), torchs.end());
  return std::none_of(directories_of_others.begin(), directories_of_others.end(),
                      [&file](const std::string& directory) {
                        return !directory.empty() && file.starts_with(directory);
                      });
}

}  // namespace

std::vector<ToolFinding> vectorizer_findings(std::string_view output) {
  RemarkReader reader;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    if (const auto remark = parsed_remark(output.substr(0, end))) reader.take(*remark);
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return reader.findings();
}

std::vector<ToolFinding> run_vectorizer(const KernelSource& kernel, const Toolchain& toolchain,
                                        const std::vector<std::string>& flags,
                                        const std::stop_token& stop) {
  const TemporaryDirectory directory("vectorizer");
  std::vector<ToolFinding> findings;
  for (const std::string& source : kernel.sources) {
    std::vector<std::string> command{toolchain.cxx};
    command.insert(command.end(), flags.begin(), flags.end());
    const std::string object = directory.path() / "kernel.o";
    command.insert(command.end(), {"-fopt-info-vec-all-internals", "-c", source, "-o", object});
    const ToolOutput output = run_tool(command, kernel, toolchain, directory.path(), stop);
    if (output.exit_code != 0) {
      if (output.text.find("unknown argument: '-fopt-info") != std::string::npos) {
        throw UserError(toolchain.cxx + " is not GCC, whose remarks on loops are read");
      }
      throw UserError(source + " does not compile; `" + own_command() + " evaluate` shows why");
    }
    for (ToolFinding& finding : vectorizer_findings(output.text)) {
      if (is_own(finding.where.file, toolchain)) findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace robust_kbench
