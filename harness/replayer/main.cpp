#include <cstdio>
#include <exception>
#include <optional>

#include "core/error.hpp"
#include "ipc/arena.hpp"
#include "ipc/worker_descriptors.hpp"
#include "recording/address_space.hpp"
#include "replayer/replay_subject.hpp"
#include "runner/serve.hpp"

// The broker starts this program as it starts a worker, with a recording as fd 6. It has none of a
// kernel's host code, and repeats what the kernel did on the GPU.
int main() {
  namespace fds = robust_kbench::worker_descriptors;
  try {
    robust_kbench::Arena arena = robust_kbench::Arena::attach(
        fds::arena, fds::gpu_memory,
        {robust_kbench::inputs_address, robust_kbench::kernel_address});
    robust_kbench::ReplaySubject subject(arena, fds::recording);
    return robust_kbench::serve(fds::channel, arena, subject);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rkb_replayer: %s\n", error.what());
    return robust_kbench::ExitCode::harness_error;
  }
}
