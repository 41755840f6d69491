#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>

namespace robust_kbench {

// The caller asked for something impossible: an unknown task, a malformed config, a missing file.
// The message says who, value, limit and remedy. Programs exit with 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The harness itself failed: a process could not be started, or a message of our own program could
// not be read. Says nothing about the kernel under test. Programs exit with 3.
class HarnessError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The error of a failed system call, with the reason that errno gives.
HarnessError system_failure(const std::string& what, int error = errno);

// Throws system_failure(step) unless the call is done.
void require_call(bool done, const std::string& step);

// Exit codes of every program of the suite.
struct ExitCode {
  static constexpr int pass = 0;
  static constexpr int rejected = 1;
  static constexpr int usage = 2;
  static constexpr int harness_error = 3;
  static constexpr int skipped = 77;  // CTest's SKIP_RETURN_CODE
};

}  // namespace robust_kbench
