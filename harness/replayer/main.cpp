#include <cstdio>
#include <exception>
#include <optional>

#include "core/error.hpp"
#include "ipc/arena.hpp"
#include "recording/address_space.hpp"
#include "replayer/replay_subject.hpp"
#include "runner/serve.hpp"

// The broker starts this program as it starts a worker, with a recording as fd 6. It has none of a
// kernel's host code, and repeats what the kernel did on the GPU.
int main() {
  constexpr int channel_fd = 3;
  constexpr int arena_fd = 4;
  constexpr int gpu_fd = 5;
  constexpr int recording_fd = 6;
  try {
    robust_kbench::Arena arena = robust_kbench::Arena::attach(
        arena_fd, gpu_fd, {robust_kbench::inputs_address, robust_kbench::kernel_address});
    robust_kbench::ReplaySubject subject(arena, recording_fd);
    return robust_kbench::serve(channel_fd, arena, subject);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rkb_replayer: %s\n", error.what());
    return robust_kbench::ExitCode::harness_error;
  }
}
