#include "core/record.hpp"

#include <algorithm>

namespace robust_kbench {

Judgement judgement_of(const KernelRecord& record) {
  Judgement judgement = record.build.judgement;
  const bool all_refused =
      !record.cases.empty() && std::all_of(record.cases.begin(), record.cases.end(),
                                           [](const CaseRecord& c) { return c.refused; });
  for (const CaseRecord& c : record.cases) {
    if (c.refused && !all_refused) continue;
    if (!outranks(c.judgement.verdict, judgement.verdict)) continue;
    judgement = c.judgement;
    if (c.asks.empty() || c.refused) judgement.reason = c.name + ": " + c.judgement.reason;
  }
  return judgement;
}

}  // namespace robust_kbench
