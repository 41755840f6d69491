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

std::string in_words(const SpeedupRecord& speedup) {
  const std::string& call = speedup.call;
  if (call == "faster" || call == "slower") return call + " than " + speedup.against;
  return (call == "same" ? "as fast as " : "not told apart from ") + speedup.against;
}

}  // namespace robust_kbench
