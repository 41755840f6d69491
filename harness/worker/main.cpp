#include <cstdio>
#include <exception>

#include "core/error.hpp"
#include "exec/arena.hpp"
#include "exec/serve.hpp"
#include "worker/kernel_subject.hpp"

// Started by WorkerProcess with the channel and the arena already open.
int main() {
  constexpr int channel_fd = 3;
  constexpr int arena_fd = 4;
  try {
    robust_kbench::Arena arena = robust_kbench::Arena::attach(arena_fd);
    robust_kbench::KernelSubject subject(arena);
    return robust_kbench::serve(channel_fd, arena, subject);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rkb_worker: %s\n", error.what());
    return robust_kbench::ExitCode::harness_error;
  }
}
