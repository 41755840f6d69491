#include "check/beyond_listed.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace robust_kbench {

void tell_beyond_listed(CaseRecord& failed, const Case& c, const std::vector<CaseRecord>& called) {
  std::size_t right = 0;
  bool all_right = true;
  for (const CaseRecord& record : called) {
    if (!record.asks.empty() || record.refused) continue;
    right += record.judgement.passes();
    all_right = all_right && record.judgement.passes();
  }
  const std::string cases =
      right == 1 ? "the listed case" : fmt::format("all {} listed cases", right);
  const Verdict verdict = failed.judgement.verdict;
  const bool wrong = verdict == Verdict::wrong_result || verdict == Verdict::nondeterministic;
  failed.judgement.reason =
      fmt::format("{}{} {}\n{}\n--scope listed leaves out drawn configs and probes",
                  right > 0 && all_right ? fmt::format("right on {}; ", cases) : "",
                  wrong ? "wrong on" : "fails on", c.asks(), failed.judgement.reason);
}

}  // namespace robust_kbench
