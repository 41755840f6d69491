#include "evaluate/several_gpus.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/text_file.hpp"
#include "device/cpu.hpp"
#include "device/cuda_driver.hpp"
#include "device/gpu_choice.hpp"
#include "evaluate/evaluator.hpp"
#include "process/affinity.hpp"
#include "process/temporary_directory.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// Every `count`-th item from `begin` on.
template <typename Item>
std::vector<Item> share_of(const std::vector<Item>& all, std::size_t begin, std::size_t count) {
  std::vector<Item> share;
  for (std::size_t i = begin; i < all.size(); i += count) share.push_back(all[i]);
  return share;
}

std::vector<KernelRecord> failed(const std::vector<KernelSource>& kernels,
                                 const std::string& reason) {
  std::vector<KernelRecord> records;
  records.reserve(kernels.size());
  for (const KernelSource& kernel : kernels) {
    records.push_back(harness_failed(kernel, reason));
  }
  return records;
}

// A process that evaluates a GPU's share and leaves its records in a file.
class GpuProcess {
 public:
  GpuProcess(int gpu, std::vector<KernelSource> kernels, const std::vector<int>& cpus,
             fs::path file, const EvaluateShare& evaluate, const std::function<void()>& in_process)
      : m_gpu(gpu), m_kernels(std::move(kernels)), m_file(std::move(file)) {
    const pid_t parent = getpid();
    std::fflush(nullptr);
    m_pid = fork();
    if (m_pid < 0) throw HarnessError("cannot start a process for GPU " + std::to_string(gpu));
    if (m_pid > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (in_process) in_process();
    const ScopedAffinity place(cpus);
    const int code = getppid() == parent ? run(evaluate) : ExitCode::harness_error;
    std::fflush(nullptr);
    _exit(code);
  }

  void interrupt() const { kill(m_pid, SIGINT); }
  void reap() const { waitpid(m_pid, nullptr, 0); }

  // Waits for its end. The process id stays taken until reap(), so that no signal reaches another
  // process.
  std::vector<KernelRecord> wait() {
    siginfo_t end{};
    while (waitid(P_PID, static_cast<id_t>(m_pid), &end, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    const auto exited_with = [&](int code) {
      return end.si_code == CLD_EXITED && end.si_status == code;
    };
    const std::string text = read_text(m_file).value_or("");
    const std::string who = "the process of GPU " + std::to_string(m_gpu);
    if (exited_with(ExitCode::usage)) {
      throw UserError(text);
    }
    if (!exited_with(ExitCode::pass)) {
      return failed(m_kernels, who + " ended before its time");
    }
    return kernels_of(parse_json(text));
  }

 private:
  [[nodiscard]] int run(const EvaluateShare& evaluate) const {
    std::ofstream out(m_file);
    try {
      take_gpu(m_gpu);
      out << record_file(evaluate(m_kernels));
      return out.flush() ? ExitCode::pass : ExitCode::harness_error;
    } catch (const UserError& error) {
      out << error.what() << std::flush;
      return ExitCode::usage;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "GPU %d: the harness failed: %s\n", m_gpu, error.what());
      return ExitCode::harness_error;
    }
  }

  int m_gpu;
  std::vector<KernelSource> m_kernels;
  fs::path m_file;
  pid_t m_pid = -1;
};

}  // namespace

void take_gpu(int gpu) {
  use_gpu(gpu);
  if (const CudaFacts facts = cuda_facts(); !facts.missing.empty()) {
    throw UserError("GPU " + std::to_string(gpu) + " cannot be used: " + facts.missing);
  }
}

std::vector<int> cpus_of(std::size_t process, std::size_t processes) {
  const std::vector<int> all = usable_cpus();
  if (all.size() < processes) return all;
  const auto at = [&](std::size_t i) {
    return all.begin() + static_cast<std::ptrdiff_t>(i * all.size() / processes);
  };
  return {at(process), at(process + 1)};
}

std::vector<KernelRecord> evaluate_on_gpus(const std::vector<int>& gpus,
                                           const std::vector<KernelSource>& kernels,
                                           const EvaluateShare& evaluate,
                                           const std::stop_token& stop,
                                           const std::function<void()>& in_process) {
  if (std::set<int>(gpus.begin(), gpus.end()).size() != gpus.size()) {
    throw UserError("a GPU is named twice; name each once");
  }
  if (gpus.size() == 1) {
    take_gpu(gpus.front());
    return evaluate(kernels);
  }
  const TemporaryDirectory directory("gpus");
  const std::size_t count = std::min(gpus.size(), kernels.size());
  std::vector<GpuProcess> processes;
  for (std::size_t i = 0; i < count; ++i) {
    processes.emplace_back(gpus[i], share_of(kernels, i, count), cpus_of(i, count),
                           directory.path() / std::to_string(i), evaluate, in_process);
  }
  std::optional<std::stop_callback<std::function<void()>>> hand_on;
  hand_on.emplace(stop, [&] {
    for (const GpuProcess& process : processes) process.interrupt();
  });
  std::vector<KernelRecord> records(kernels.size());
  for (std::size_t i = 0; i < processes.size(); ++i) {
    std::vector<KernelRecord> share = processes[i].wait();
    for (std::size_t k = 0; k < share.size(); ++k) {
      records.at(i + k * count) = std::move(share[k]);
    }
  }
  hand_on.reset();
  for (const GpuProcess& process : processes) process.reap();
  return records;
}

}  // namespace robust_kbench
