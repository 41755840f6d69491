#include <cstdio>
#include <exception>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "ipc/arena.hpp"
#include "runner/serve.hpp"
#include "worker/inspected_subject.hpp"
#include "worker/kernel_subject.hpp"

// Started by WorkerProcess with the channel and the arena already open. With --probe-gpu it only
// tells whether it can use the GPU from where it is.
int main(int argc, char** argv) {
  constexpr int channel_fd = 3;
  constexpr int arena_fd = 4;
  constexpr int gpu_fd = 5;
  const std::string_view kind = argc > 1 ? argv[argc - 1] : "";
  try {
    if (kind == "--probe-gpu") {
      (void)robust_kbench::cuda_driver();
      return robust_kbench::ExitCode::pass;
    }
    robust_kbench::Arena arena = robust_kbench::Arena::attach(
        arena_fd, kind == "--gpu" ? std::optional(gpu_fd) : std::nullopt);
    if (kind == "--inspected") {
      robust_kbench::InspectedSubject subject(arena);
      return robust_kbench::serve(channel_fd, arena, subject);
    }
    robust_kbench::KernelSubject subject(arena);
    return robust_kbench::serve(channel_fd, arena, subject);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rkb_worker: %s\n", error.what());
    return robust_kbench::ExitCode::harness_error;
  }
}
