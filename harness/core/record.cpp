#include "core/record.hpp"

namespace robust_kbench {

Judgement judgement_of(const KernelRecord& record) {
  Judgement judgement = record.build.judgement;
  for (const CaseRecord& c : record.cases) {
    if (!outranks(c.judgement.verdict, judgement.verdict)) continue;
    judgement = c.judgement;
    judgement.reason = c.name + ": " + c.judgement.reason;
  }
  return judgement;
}

}  // namespace robust_kbench
