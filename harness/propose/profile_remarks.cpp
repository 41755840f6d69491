#include "propose/profile_remarks.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace robust_kbench {
namespace {

struct Remedy {
  std::string_view advice;  // profile/advice.hpp
  std::string_view rule;    // transform/rules/
};

constexpr std::array remedies{
    Remedy{"in_order_reduction", "simd_reduction"}, Remedy{"in_order_reduction", "simd"},
    Remedy{"not_vectorized", "simd_independent"},   Remedy{"not_vectorized", "simd"},
    Remedy{"not_vectorized", "interchange"},        Remedy{"not_vectorized", "raw_pointers"},
    Remedy{"uncoalesced", "warp_reduction"},        Remedy{"small_grid", "warp_reduction"},
    Remedy{"latency_bound", "warp_reduction"},      Remedy{"latency_bound", "unroll"},
    Remedy{"occupancy", "launch_bounds"},           Remedy{"bank_conflicts", "shared_padding"},
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
    return std::any_of(remedies.begin(), remedies.end(), [&](const Remedy& remedy) {
      return remedy.advice == given.rule && has_rule(rule, remedy.rule);
    });
  };
  return static_cast<std::size_t>(std::find_if(advice.begin(), advice.end(), is_followed) -
                                  advice.begin());
}

}  // namespace robust_kbench
