#include "broker/worker_launch.hpp"

#include <algorithm>
#include <cstdint>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "broker/worker_enclosure.hpp"
#include "device/gpu_choice.hpp"
#include "ipc/worker_descriptors.hpp"
#include "process/environment.hpp"
#include "process/machine_memory.hpp"
#include "process/processes.hpp"
#include "process/threads.hpp"

namespace robust_kbench {
namespace {

// The user's threads. RLIMIT_NPROC counts all of them, so the limit adds those that exist before
// any worker.
int threads_of_user() {
  int threads = 0;
  for (const Process& process : all_processes()) {
    struct stat status {};
    const std::string path = "/proc/" + std::to_string(process.pid);
    if (stat(path.c_str(), &status) == 0 && status.st_uid == getuid()) {
      threads += thread_count(process.pid);
    }
  }
  return threads;
}

// The environment reveals nothing about the requests to come.
std::vector<std::string> worker_environment(const WorkerOptions& options, const WorkerFiles& files,
                                            const std::string& marker) {
  std::vector<std::string> environment{"PATH=/usr/local/bin:/usr/bin:/bin",
                                       "HOME=" + files.directory(),
                                       "TMPDIR=" + files.directory(),
                                       "LC_ALL=C",
                                       "OMP_NUM_THREADS=" + std::to_string(options.threads),
                                       marker};
  // The user of the suite decides whether idle OpenMP threads spin.
  for (std::string& variable : named_variables({"OMP_WAIT_POLICY"})) {
    environment.push_back(std::move(variable));
  }
  if (!options.gpu) {
    // If threads were not bound, one that wakes up on the CPU of a spinning one would wait for
    // milliseconds.
    environment.insert(environment.end(), {"OMP_PROC_BIND=true", "OMP_PLACES=threads"});
    return environment;
  }
  // In a container LD_LIBRARY_PATH may name the driver's directory. CUDA_DEVICE_ORDER gives
  // CUDA_VISIBLE_DEVICES its meaning.
  for (std::string& variable : named_variables({"LD_LIBRARY_PATH", "CUDA_DEVICE_ORDER"})) {
    environment.push_back(std::move(variable));
  }
  if (options.gpu_queues > 0) {
    environment.push_back("CUDA_DEVICE_MAX_CONNECTIONS=" + std::to_string(options.gpu_queues));
  }
  // The worker gets one GPU, since it could hide work from the broker on another one.
  environment.push_back("CUDA_VISIBLE_DEVICES=" + only_gpu());
  return environment;
}

void add_limit(SpawnOptions& spawn, int resource, std::uint64_t value) {
  rlimit current{};
  getrlimit(static_cast<__rlimit_resource>(resource), &current);
  spawn.limits.emplace_back(resource, std::min<rlim_t>(value, current.rlim_max));
}

}  // namespace

SpawnOptions launch_options(const WorkerOptions& options, const WorkerFiles& files,
                            const std::string& marker, int channel_fd, const Arena& arena) {
  SpawnOptions spawn{.arguments = options.tool,
                     .environment = worker_environment(options, files, marker),
                     .working_directory = files.directory(),
                     .descriptors = {{files.output(), STDOUT_FILENO},
                                     {files.output(), STDERR_FILENO},
                                     {channel_fd, worker_descriptors::channel},
                                     {arena.fd(), worker_descriptors::arena}},
                     .cpus = options.cpus,
                     .untrusted = true,
                     .sandbox = worker_enclosure(options, files.directory())};
  spawn.arguments.push_back(options.program);
  spawn.arguments.insert(spawn.arguments.end(), options.arguments.begin(), options.arguments.end());
  if (!options.tool.empty()) spawn.arguments.emplace_back("--inspected");
  if (arena.on_gpu()) {
    spawn.arguments.emplace_back("--gpu");
    spawn.descriptors.emplace_back(arena.gpu_fd(), worker_descriptors::gpu_memory);
  }
  if (options.recording_fd >= 0) {
    spawn.descriptors.emplace_back(options.recording_fd, worker_descriptors::recording);
  }

  const Limits& limits = options.limits;
  add_limit(spawn, RLIMIT_CORE, 0);
  add_limit(spawn, RLIMIT_FSIZE, limits.file_bytes);
  if (!options.gpu && options.tool.empty()) add_limit(spawn, RLIMIT_NOFILE, limits.open_files);
  if (limits.address_space_bytes != 0 && !options.gpu) {
    const std::uint64_t beyond =
        std::min<std::uint64_t>(limits.address_space_bytes, machine_memory() / 2);
    // The arena counts twice, since a worker maps it twice.
    add_limit(spawn, RLIMIT_AS, 2 * arena.size() + beyond);
  }
  if (getuid() != 0) {
    // The broker counts the worker's threads, so that the verdict says it. This limit is above it.
    static const int own = threads_of_user();
    add_limit(spawn, RLIMIT_NPROC,
              static_cast<std::uint64_t>(own) + 2 * static_cast<std::uint64_t>(limits.threads));
  }
  return spawn;
}

}  // namespace robust_kbench
