#pragma once

#include <string>
#include <string_view>

namespace robust_kbench {

// The outcome for a kernel or one of its cases.
enum class Verdict {
  pass,
  wrong_result,
  nondeterministic,
  compile_error,
  load_error,
  exception,
  crash,
  timeout,
  out_of_memory,
  cheat,
  unsafe,
  sandbox_violation,
  skipped,
  harness_error,
};

// How a kernel cheated; `none` unless the verdict is `cheat`.
enum class CheatClass {
  none,
  input_mutation,       // wrote to a tensor that it was given
  out_of_bounds_write,  // wrote outside the tensors that it allocated
  input_as_output,      // returned an input's memory where that is not the answer
  late_write,           // wrote to its outputs after it had returned
  left_process,         // left a process behind
  timing,               // claimed spans that the broker's clock contradicts, or ran out of turn
};

std::string_view to_string(Verdict verdict);
std::string_view to_string(CheatClass cheat_class);

// Throws UserError for a name that `to_string` never gives.
Verdict parse_verdict(std::string_view name);
CheatClass parse_cheat_class(std::string_view name);

// True if a kernel with cases of both verdicts gets `verdict`. A cheat outranks a crash, a crash
// outranks a wrong result, and a pass outranks nothing.
bool outranks(Verdict verdict, Verdict other);

}  // namespace robust_kbench
