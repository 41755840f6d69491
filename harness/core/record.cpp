#include "core/record.hpp"

namespace robust_kbench {

void judge(KernelRecord& record) {
  record.verdict = record.build.verdict;
  record.reason = record.build.reason;
  for (const CaseRecord& c : record.cases) {
    if (!outranks(c.verdict, record.verdict)) continue;
    record.verdict = c.verdict;
    record.cheat_class = c.cheat_class;
    record.reason = c.name + ": " + c.reason;
  }
}

}  // namespace robust_kbench
