#include "replay/recorded_kernel.hpp"

#include <array>
#include <sys/mman.h>
#include <unistd.h>

#include "check/batch.hpp"
#include "core/error.hpp"
#include "device/gpu_memory_wait.hpp"
#include "recording/decode.hpp"
#include "replay/driver_path.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t recorded_calls = 3;  // as RecordedSubject has them (worker)
// A recording may be as long, as has the code of some libraries.
constexpr std::size_t most_recording_bytes = std::size_t{512} << 20;

Descriptor recording_file() {
  Descriptor file(memfd_create("robust_kbench_recording", MFD_CLOEXEC));
  if (file.get() < 0) throw system_failure("recording: memfd_create");
  return file;
}

std::string content_of(const Descriptor& file) {
  std::string content;
  std::array<char, 1 << 16> piece{};
  while (content.size() < most_recording_bytes) {
    const ssize_t read =
        pread(file.get(), piece.data(), piece.size(), static_cast<off_t>(content.size()));
    if (read < 0) throw system_failure("recording: pread");
    if (read == 0) break;
    content.append(piece.data(), static_cast<std::size_t>(read));
  }
  return content;
}

WorkerOptions recorder_options(const KernelToRecord& kernel, const Workload& workload, int file) {
  WorkerOptions options = kernel.worker;
  options.arguments = {"--record=" + driver_path()};
  options.recording_fd = file;
  options.readable.push_back(kernel.library);
  options.readable.push_back(driver_path());
  options.arena_bytes = arena_bytes(workload, recorded_calls, /*gpu=*/true);
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

RecordedKernel record_kernel(const KernelToRecord& kernel, const Workload& workload,
                             CallSource& calls) {
  RecordedKernel recorded{.file = recording_file(), .not_replayed = ""};
  try {
    const WorkerOptions options = recorder_options(kernel, workload, recorded.file.get());
    wait_for_gpu_memory([&] { make_calls(kernel, workload, calls, options); },
                        broker_gpu_memory_wait);
    const Recording recording = decode_recording(content_of(recorded.file));
    if (!recording.is_replayable()) recorded.not_replayed = text_of(recording.obstacles.front());
  } catch (const Rejection& rejection) {
    recorded.not_replayed = "it fails while it is recorded: " + std::string(rejection.what());
  } catch (const RecordingError& error) {
    recorded.not_replayed = error.what();
  }
  return recorded;
}

}  // namespace robust_kbench
