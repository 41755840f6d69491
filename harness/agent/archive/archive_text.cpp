#include "agent/archive/archive_text.hpp"

#include "core/speedup.hpp"
#include "process/escape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {

std::string speedup_text(std::optional<double> speedup) {
  return speedup ? ratio_text(*speedup) : "-";
}

std::string interval_text(const ProposalRow& proposal) {
  if (!proposal.ci_low || !proposal.ci_high) return "-";
  return interval_text(Interval{*proposal.ci_low, *proposal.ci_high});
}

std::string parents_text(const ProposalRow& proposal) {
  return text_or_dash(fmt::format("{}", fmt::join(proposal.parents, ", ")));
}

std::string text_or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string cell_of(const std::string& text) {
  constexpr std::size_t longest = 60;
  const std::string line = escaped(text.substr(0, text.find('\n')));
  if (line.size() <= longest) return line;
  const std::string ellipsis = "...";
  return line.substr(0, longest - ellipsis.size()) + ellipsis;
}

}  // namespace robust_kbench
