#include "core/taken_stdout.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

bool is_taken = false;

}  // namespace

TakenStdout::TakenStdout() {
  if (is_taken) throw UserError("stdout is named twice for results; name a file for one of them");
  std::fflush(stdout);
  m_taken = Descriptor(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (m_taken.get() < 0) throw system_failure("stdout cannot be written");
  if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) throw system_failure("stderr cannot be written");
  is_taken = true;
}

TakenStdout::~TakenStdout() {
  std::fflush(stdout);
  dup2(m_taken.get(), STDOUT_FILENO);
  is_taken = false;
}

void TakenStdout::write(const std::string& text) const {
  for (std::string_view left = text; !left.empty();) {
    const ssize_t written = ::write(m_taken.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw system_failure("stdout cannot be written");
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace robust_kbench
