#include <cstddef>
#include <cstdio>
#include <exception>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "device/cuda_memory.hpp"
#include "device/cuda_spin.hpp"
#include "ipc/arena.hpp"
#include "runner/serve.hpp"
#include "worker/inspected_subject.hpp"
#include "worker/kernel_subject.hpp"

namespace {

// Uses the GPU's driver as a worker does: makes a context, exports memory by a descriptor, compiles
// a kernel and runs it.
void probe_gpu() {
  constexpr std::size_t bytes = std::size_t{2} << 20;
  const auto memory = robust_kbench::CudaMemory::create(bytes);
  const auto again = robust_kbench::CudaMemory::attach(memory.fd(), bytes);
  robust_kbench::CudaSpin().run(1);
  const robust_kbench::CudaDriver& driver = robust_kbench::cuda_driver();
  driver.check(driver.synchronize(), "cuCtxSynchronize");
}

}  // namespace

// WorkerProcess starts this program with the channel and the arena already open. With --probe-gpu
// it only tries to use the GPU, and its exit code tells whether it can.
int main(int argc, char** argv) {
  constexpr int channel_fd = 3;
  constexpr int arena_fd = 4;
  constexpr int gpu_fd = 5;
  const std::string_view kind = argc > 1 ? argv[argc - 1] : "";
  try {
    if (kind == "--probe-gpu") {
      probe_gpu();
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
