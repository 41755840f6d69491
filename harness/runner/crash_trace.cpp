#include "runner/crash_trace.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include "ipc/crash_trace_text.hpp"

namespace robust_kbench {
namespace {

constexpr int max_frames = 16;
// The first frames are left out: the handler, and the operating system's call of it.
constexpr int own_frames = 2;
constexpr std::size_t max_line = 120;  // names of templates may be pages long

void write_line(std::array<char, max_line>& line) {
  const std::size_t length = std::min(std::strlen(line.data()), line.size() - 1);
  line[length] = '\n';
  (void)!write(STDERR_FILENO, line.data(), length + 1);  // a failure cannot be reported anywhere
}

void write_frame(void* address) {
  Dl_info place{};
  std::array<char, max_line> line{};
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (dladdr(address, &place) == 0 || place.dli_fname == nullptr) {
    std::snprintf(line.data(), line.size(), "  0x%zx", at);
  } else {
    const char* slash = std::strrchr(place.dli_fname, '/');
    std::snprintf(line.data(), line.size(), "  %s+0x%zx %s",
                  slash == nullptr ? place.dli_fname : slash + 1,
                  at - reinterpret_cast<std::uintptr_t>(place.dli_fbase),
                  place.dli_sname == nullptr ? "" : place.dli_sname);
  }
  write_line(line);
}

// Writes the program's last line, which may have no line end and would be lost. A fault within
// printf() holds the lock, so nothing is written then.
void flush_stdout() {
  if (ftrylockfile(stdout) != 0) return;
  fflush_unlocked(stdout);
  (void)!write(STDOUT_FILENO, "\n", 1);
  funlockfile(stdout);
}

// Some functions called here are unsafe in a signal handler. If they fault, the same signal ends
// the process.
void write_trace(int signal, siginfo_t* info, void*) {
  flush_stdout();
  std::array<char, max_line> line{};
  std::snprintf(line.data(), line.size(), "%s%zx in", crash_trace_begin.data(),
                reinterpret_cast<std::uintptr_t>(info->si_addr));
  write_line(line);
  std::array<void*, own_frames + max_frames> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  std::for_each(frames.begin() + std::min(own_frames, count), frames.begin() + count, write_frame);
  raise(signal);
}

}  // namespace

void trace_crashes() {
  static std::array<std::byte, std::size_t{64} << 10> stack;  // the usual stack may have overflowed
  const stack_t alternate{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&alternate, nullptr);
  std::array<void*, 1> frame{};
  backtrace(frame.data(), 1);  // its first call loads libraries, which a handler must not

  struct sigaction action {};
  action.sa_sigaction = write_trace;
  // The default is restored on entry, so that raising the signal again in the handler ends the
  // process.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction known {};
    sigaction(signal, nullptr, &known);
    if (known.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
}

}  // namespace robust_kbench
