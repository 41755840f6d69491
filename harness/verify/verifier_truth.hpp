#pragma once

#include <optional>
#include <string>

#include "core/record.hpp"
#include "prompt/verifier_answer.hpp"

namespace robust_kbench {

// The truth about a kernel in one verifier's class of errors, as its record tells it.
struct VerifierTruth {
  bool valid = false;
  std::string found = {};  // the finding, where it is not
};

// The truth in a verifier's class, or none where the record does not tell it.
//   compilation  compiler, linker and loader: wrong where they refused the kernel, right where it
//                was called
//   memory       wrong where a sanitizer found something, the kernel wrote where it must not, was
//                killed by an access or ran out of memory. Right where it passed, or where memcheck
//                ran and it otherwise only erred
//   numerics     wrong where a result was wrong or differed between calls, right where it passed
std::optional<VerifierTruth> truth_of(const KernelRecord& record, Verifier verifier);

}  // namespace robust_kbench
