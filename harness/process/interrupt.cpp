#include "process/interrupt.hpp"

#include <chrono>
#include <csignal>
#include <unistd.h>

namespace robust_kbench {
namespace {

// The waiting thread checks this often whether its object ends.
constexpr timespec look_every{.tv_sec = 0, .tv_nsec = 100'000'000};

sigset_t interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

InterruptStop::InterruptStop() {
  const sigset_t signals = interrupts();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  start_waiting();
}

void InterruptStop::wait_here() {
  m_waiting.detach();  // the thread exists only in the parent process
  start_waiting();
}

void InterruptStop::start_waiting() {
  m_waiting = std::jthread([this](const std::stop_token& ended) {
    const sigset_t waited = interrupts();
    while (!ended.stop_requested()) {
      const int signal = sigtimedwait(&waited, nullptr, &look_every);
      if (signal < 0) continue;
      if (m_stop.stop_requested()) _exit(128 + signal);
      m_signal = signal;
      m_stop.request_stop();
    }
  });
}

InterruptStop::~InterruptStop() {
  m_waiting.request_stop();
  m_waiting.join();
  const sigset_t signals = interrupts();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace robust_kbench
