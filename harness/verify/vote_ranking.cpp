#include "verify/vote_ranking.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/seed.hpp"
#include "source/similarity.hpp"

namespace robust_kbench {
namespace {

using Shingles = std::set<std::string>;

struct Waiting {
  std::size_t index;
  const RankedKernel* kernel;
  Shingles shingles;
  double similarity;  // greatest to any source of the archive or of one that was taken
  std::uint64_t draw;

  void compare_with(const Shingles& other) {
    similarity = std::max(similarity, robust_kbench::similarity(shingles, other));
  }
  [[nodiscard]] auto key() const { return std::tuple(-kernel->score, similarity, draw); }
};

}  // namespace

std::vector<std::size_t> ranked(const std::vector<RankedKernel>& kernels, std::size_t most,
                                const std::vector<std::string>& archive, std::uint64_t seed) {
  std::vector<Shingles> known;
  for (const std::string& text : archive) known.push_back(shingles_of(text));
  std::vector<Waiting> waiting;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const std::string& text = kernels[i].text;
    Waiting& one = waiting.emplace_back(
        Waiting{i, &kernels[i], shingles_of(text), 0, mix(hash(text) ^ mix(seed))});
    for (const Shingles& other : known) one.compare_with(other);
  }
  std::vector<std::size_t> taken;
  while (!waiting.empty() && taken.size() < most) {
    const auto best = std::ranges::min_element(waiting, {}, &Waiting::key);
    const Shingles shingles = best->shingles;
    taken.push_back(best->index);
    waiting.erase(best);
    for (Waiting& other : waiting) other.compare_with(shingles);
  }
  return taken;
}

}  // namespace robust_kbench
