#pragma once

#include <optional>
#include <string>
#include <vector>

#include "broker/worker_process.hpp"
#include "core/record.hpp"
#include "core/verdict.hpp"

namespace robust_kbench {

// Something wrong with a call, seen from the broker's side.
struct Finding {
  Verdict verdict = Verdict::wrong_result;
  CheatClass cheat_class = CheatClass::none;
  std::string message;
};

// What the outputs of one call are worth: `pass` and no message when all are within tolerance.
struct Judgement : Finding {
  std::vector<OutputError> errors;  // of each output that could be compared
};

Finding cheat(CheatClass cheat_class, std::string message);

// What a worker's report of a failure, or its end, says about `subject`.
Finding finding_of(const Failed& failed, const std::string& subject = "the kernel");
Finding finding_of(const WorkerEnd& end);

}  // namespace robust_kbench
