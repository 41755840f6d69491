#include <cstddef>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "device/cuda_memory.hpp"
#include "device/cuda_spin.hpp"
#include "ipc/arena.hpp"
#include "ipc/worker_descriptors.hpp"
#include "recording/address_space.hpp"
#include "runner/serve.hpp"
#include "worker/inspected_subject.hpp"
#include "worker/kernel_subject.hpp"
#include "worker/recorded_subject.hpp"

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
// it only tries to use the GPU, and its exit code tells whether it can. With --record=DRIVER it
// also records what the kernel does on the GPU.
int main(int argc, char** argv) {
  namespace fds = robust_kbench::worker_descriptors;
  constexpr std::string_view record_option = "--record=";  // with the path of the driver
  const std::string_view kind = argc > 1 ? argv[argc - 1] : "";
  const std::string_view option = argc > 2 ? argv[1] : "";
  try {
    if (kind == "--probe-gpu") {
      probe_gpu();
      return robust_kbench::ExitCode::pass;
    }
    robust_kbench::RecorderControl* recorder = nullptr;
    if (option.starts_with(record_option)) {
      recorder = &robust_kbench::load_recorder(std::string(option.substr(record_option.size())));
    }
    const robust_kbench::ArenaAddresses addresses =
        recorder == nullptr ? robust_kbench::ArenaAddresses{}
                            : robust_kbench::ArenaAddresses{robust_kbench::inputs_address,
                                                            robust_kbench::kernel_address};
    robust_kbench::Arena arena = robust_kbench::Arena::attach(
        fds::arena, kind == "--gpu" ? std::optional(fds::gpu_memory) : std::nullopt, addresses);
    if (kind == "--inspected") {
      robust_kbench::InspectedSubject subject(arena);
      return robust_kbench::serve(fds::channel, arena, subject);
    }
    robust_kbench::KernelSubject subject(arena);
    if (recorder != nullptr) {
      robust_kbench::RecordedSubject recorded(subject, arena, *recorder, fds::recording);
      return robust_kbench::serve(fds::channel, arena, recorded);
    }
    return robust_kbench::serve(fds::channel, arena, subject);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rkb_worker: %s\n", error.what());
    return robust_kbench::ExitCode::harness_error;
  }
}
