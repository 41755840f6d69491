#include "prompt/machine_facts.hpp"

#include <array>
#include <chrono>
#include <dlfcn.h>
#include <fstream>
#include <set>
#include <sstream>

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "device/cpu.hpp"
#include "device/cuda_driver.hpp"
#include "device/gpu_facts.hpp"
#include "device/target_gpu.hpp"
#include "process/command.hpp"
#include "prompt/device_facts.hpp"
#include "tensor/torch_cuda.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

// The vector extensions that a kernel's author may choose among, as /proc/cpuinfo names them on
// x86 and on ARM.
constexpr std::array known_extensions{
    "sse4_2",   "avx",      "avx2",     "fma",         "f16c",        "avx512f",
    "avx512dq", "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16", "avx512_fp16",
    "amx_tile", "amx_bf16", "asimd",    "sve",         "sve2"};

std::vector<std::string> vector_extensions() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::set<std::string> flags;
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("flags") && !line.starts_with("Features")) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) flags.insert(word);
    break;
  }
  std::vector<std::string> extensions;
  for (const char* const extension : known_extensions) {
    if (flags.contains(extension)) extensions.emplace_back(extension);
  }
  return extensions;
}

std::string version_text(const std::string& compiler) {
  return run_command({compiler, "--version"}, std::chrono::seconds{10}).output;
}

// The version in "Cuda compilation tools, release 13.0, V13.0.88", which is "13.0".
std::string cuda_version(const std::string& nvcc) {
  const std::string text = version_text(nvcc);
  const std::string mark = "release ";
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return "of unknown version";
  const std::size_t begin = at + mark.size();
  return text.substr(begin, text.find(',', begin) - begin);
}

std::string bytes_text(long long bytes) {
  constexpr long long mib = 1 << 20;
  return bytes >= mib && bytes % mib == 0 ? fmt::format("{} MiB", bytes / mib)
                                          : fmt::format("{} KiB", bytes >> 10);
}

std::vector<std::string> cpu_lines(const Toolchain& toolchain) {
  const CpuFacts cpu = cpu_facts();
  std::vector<std::string> facts{
      fmt::format("{}, of which a kernel may use {} hardware threads", cpu.model,
                  cpu.usable_cpus.size()),
      fmt::format("Vector instructions: {}", fmt::join(vector_extensions(), ", "))};
  std::vector<std::string> caches;
  const std::map<std::string, long long> sizes = device_facts(Device::cpu);
  for (const char* const level : {"l1", "l2", "l3"}) {
    const auto size = sizes.find(std::string(level) + "_bytes");
    if (size == sizes.end()) continue;
    const char* const shared = level == std::string("l3") ? " for several cores together" : "";
    caches.push_back(fmt::format("{} {}{}", level, bytes_text(size->second), shared));
  }
  if (!caches.empty()) facts.push_back(fmt::format("Caches: {}", fmt::join(caches, ", ")));
  facts.push_back(first_line(version_text(toolchain.cxx)));
  return facts;
}

// The version of cuDNN, such as "9.15", or nothing where this torch cannot use a GPU. Its libraries
// bring cuDNN.
std::string cudnn_version() {
  try {
    load_torch_cuda();
  } catch (const HarnessError&) {
    return "";
  }
  void* library = dlopen("libcudnn.so.9", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return "";
  const auto get = reinterpret_cast<std::size_t (*)()>(dlsym(library, "cudnnGetVersion"));
  const std::size_t version = get == nullptr ? 0 : get();  // 91500
  dlclose(library);
  return version == 0 ? "" : fmt::format("{}.{}", version / 10000, version / 100 % 100);
}

std::vector<std::string> facts_of(const GpuFacts& gpu, int compute_capability) {
  return {fmt::format("{}, compute capability {}.{}, {} multiprocessors", gpu.name,
                      compute_capability / 10, compute_capability % 10, gpu.multiprocessors),
          fmt::format("A block has at most {} threads, {} registers and {} bytes of shared memory, "
                      "or {} where it asks for more",
                      gpu.threads_per_block, gpu.registers_per_block, gpu.shared_memory_per_block,
                      gpu.shared_memory_per_block_optin),
          fmt::format("L2 cache {}, memory {} with {:.0f} GB/s",
                      bytes_text(static_cast<long long>(gpu.l2_bytes)),
                      bytes_text(static_cast<long long>(gpu.memory_bytes)),
                      gpu.memory_bytes_per_s / 1e9)};
}

std::vector<std::string> gpu_lines(const Toolchain& toolchain) {
  const CudaFacts cuda = cuda_facts();
  std::vector<std::string> facts;
  if (cuda.device_count > 0) {
    facts = facts_of(gpu_facts(), cuda.compute_capability);
  } else {
    facts = target_facts();
  }
  if (!toolchain.nvcc.empty()) facts.push_back("CUDA " + cuda_version(toolchain.nvcc));
  const std::string cudnn = cudnn_version();
  if (!cudnn.empty()) facts.push_back("cuDNN " + cudnn);
  return facts;
}

}  // namespace

std::vector<std::string> target_facts() {
  std::vector<std::string> facts = facts_of(target_gpu_facts(), target_compute_capability);
  facts.front() = "The target, for which sources are compiled: " + facts.front();
  facts.emplace_back(
      "No such GPU is here, so nothing could be run or measured: no time, no profile, no test on "
      "it");
  return facts;
}

std::vector<std::string> machine_facts(Device device, const Toolchain& toolchain) {
  return device == Device::cuda ? gpu_lines(toolchain) : cpu_lines(toolchain);
}

}  // namespace robust_kbench
