#include "evolve/profile_remarks.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace robust_kbench {
namespace {

struct Answer {
  std::string_view advice;  // profile/advice.hpp
  std::string_view rule;    // source/rules/
};

constexpr std::array answers{
    Answer{"in_order_reduction", "simd_reduction"},
    Answer{"in_order_reduction", "simd"},
    Answer{"in_order_reduction", "partial_sums"},
    Answer{"not_vectorized", "simd_independent"},
    Answer{"not_vectorized", "simd"},
    Answer{"not_vectorized", "interchange"},
    Answer{"not_vectorized", "raw_pointers"},
    Answer{"uncoalesced", "warp_reduction"},
    Answer{"small_grid", "warp_reduction"},
    Answer{"latency_bound", "warp_reduction"},
    Answer{"latency_bound", "unroll"},
    Answer{"occupancy", "launch_bounds"},
    Answer{"bank_conflicts", "shared_padding"},
};

bool has_rule(std::string_view joined, std::string_view rule) {
  while (!joined.empty()) {
    const std::size_t end = std::min(joined.find('+'), joined.size());
    if (joined.substr(0, end) == rule) return true;
    joined.remove_prefix(std::min(end + 1, joined.size()));
  }
  return false;
}

}  // namespace

std::vector<Remark> profile_remarks(const ProfileRecord& profile, const std::string& source) {
  namespace fs = std::filesystem;
  std::vector<Remark> remarks;
  for (const ToolFinding& finding : profile.findings) {
    const bool in_source = fs::path(finding.where.file).filename() == fs::path(source).filename();
    if (finding.tool != "vectorizer" || !in_source) continue;
    remarks.push_back({finding.where.line, finding.what + ": " + finding.meaning});
  }
  for (const Advice& advice : profile.advice) remarks.push_back({0, advice.rule});
  return remarks;
}

std::size_t rank_by_advice(const std::string& rule, const std::vector<Advice>& advice) {
  const auto is_followed = [&](const Advice& given) {
    return std::any_of(answers.begin(), answers.end(), [&](const Answer& answer) {
      return answer.advice == given.rule && has_rule(rule, answer.rule);
    });
  };
  return static_cast<std::size_t>(std::find_if(advice.begin(), advice.end(), is_followed) -
                                  advice.begin());
}

}  // namespace robust_kbench
