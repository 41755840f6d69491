#include "check/finding.hpp"

#include <string>
#include <utility>

namespace robust_kbench {

Finding cheat(CheatClass cheat_class, std::string message) {
  return {Verdict::cheat, cheat_class, std::move(message)};
}

Finding finding_of(const Failed& failed, const std::string& subject) {
  switch (failed.failure) {
    case Failure::load_error:
      return {.verdict = Verdict::load_error, .message = failed.message};
    case Failure::out_of_memory:
      return {.verdict = Verdict::out_of_memory,
              .message = subject + " ran out of memory: " + failed.message};
    case Failure::exception:
      break;
  }
  return {.verdict = Verdict::exception, .message = subject + " threw: " + failed.message};
}

Finding finding_of(const WorkerEnd& end) {
  return {.verdict = end.verdict, .message = "the worker " + end.reason};
}

}  // namespace robust_kbench
