#include "replay/recorded_kernel.hpp"

#include <sys/mman.h>

#include "check/batch.hpp"
#include "core/error.hpp"
#include "device/gpu_memory_wait.hpp"
#include "recording/decode.hpp"
#include "recording/recording_file.hpp"
#include "replay/driver_path.hpp"
#include "replay/replay_size.hpp"

namespace robust_kbench {
namespace {

WorkerOptions recorder_options(const KernelToRecord& kernel, const Workload& workload, int file) {
  WorkerOptions options = kernel.worker;
  options.arguments = {"--record=" + driver_path()};
  options.recording_fd = file;
  options.readable.push_back(kernel.library);
  options.readable.push_back(driver_path());
  options.arena_bytes = replay_arena_bytes(workload, recorded_calls);
  return options;
}

void make_calls(const KernelToRecord& kernel, const Workload& workload, CallSource& calls,
                const WorkerOptions& options) {
  const std::vector<Tensors> content = calls.batch(recorded_calls);
  WorkerProcess worker(options);
  answer_of(worker.load(load_of(kernel.library, kernel.entry.direction, options)));
  Batch batch(worker, workload);
  batch.place(content);
  answer_of(batch.prepare());
  answer_of(batch.run());
  answer_of(batch.collect(std::nullopt));
}

}  // namespace

Descriptor make_recording_file() {
  Descriptor file(memfd_create("robust_kbench_recording", MFD_CLOEXEC));
  if (file.get() < 0) throw system_failure("recording: memfd_create");
  return file;
}

RecordedKernel record_kernel(const KernelToRecord& kernel, const Workload& workload,
                             CallSource& calls, int file) {
  RecordedKernel recorded;
  try {
    const WorkerOptions options = recorder_options(kernel, workload, file);
    wait_for_gpu_memory([&] { make_calls(kernel, workload, calls, options); },
                        broker_gpu_memory_wait);
    const Recording recording = decode_recording(read_recording(file));
    recorded.cleared_bytes = recording.cleared_bytes;
    if (!recording.is_replayable()) recorded.not_replayed = text_of(recording.obstacles.front());
  } catch (const Rejection& rejection) {
    recorded.not_replayed = "it fails while it is recorded: " + std::string(rejection.what());
  } catch (const RecordingError& error) {
    recorded.not_replayed = error.what();
  }
  return recorded;
}

}  // namespace robust_kbench
