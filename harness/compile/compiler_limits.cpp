#include "compile/compiler_limits.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <sys/resource.h>
#include <utility>
#include <vector>

#include "process/bytes_below.hpp"
#include "process/machine_memory.hpp"
#include "process/processes.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t most_memory = 6144 * mebibyte;
constexpr std::size_t most_of_files = 256 * mebibyte;
// The system's limits are wider than the watch's, which can tell how much was taken.
constexpr std::size_t addresses_per_memory = 2;
constexpr std::chrono::seconds time_beyond{5};

bool tells(const std::string& output, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return output.find(word) != std::string::npos; });
}

std::string words(const std::string& what, const std::string& limit) {
  return fmt::format("{}; the limit is {}; make the source smaller", what, limit);
}

// A compiler is bound by these while nobody watches, too, since a broker may be killed.
std::vector<std::pair<int, rlim_t>> resource_limits(const CompilerLimits& limits) {
  std::vector<std::pair<int, rlim_t>> all{
      {RLIMIT_CORE, 0},
      {RLIMIT_AS, addresses_per_memory * limits.memory_bytes},
      {RLIMIT_CPU, static_cast<rlim_t>((limits.processor_time + time_beyond).count())}};
  if (limits.file_bytes > 0) all.emplace_back(RLIMIT_FSIZE, limits.file_bytes);
  return all;
}

// The files in `directory` are the compiler's.
std::string exceeded_files(const std::string& directory, const CompilerLimits& limits) {
  if (limits.file_bytes == 0) return {};
  const std::uint64_t bytes = bytes_below(directory, limits.file_bytes);
  if (bytes <= limits.file_bytes) return {};
  return words(fmt::format("wrote {} MiB or more", bytes / mebibyte),
               fmt::format("{} MiB in all files", limits.file_bytes / mebibyte));
}

// The limit of the system that a failed compiler met. Empty where its output tells of none.
std::string excess_by_output(const CommandResult& result, const CompilerLimits& limits) {
  if (result.exit_code == 0) return {};
  if (tells(result.output, {"File size limit exceeded", "File too large"})) {
    const std::string limit = fmt::format("{} MiB", limits.file_bytes / mebibyte);
    return words("wrote more than " + limit + " to one file", limit + " in all files");
  }
  if (tells(result.output,
            {"out of memory", "memory exhausted", "Cannot allocate memory", "std::bad_alloc"})) {
    const std::string limit =
        fmt::format("{} MiB", addresses_per_memory * limits.memory_bytes / mebibyte);
    return words("asked for more than " + limit + " of memory in one process", limit);
  }
  return {};
}

}  // namespace

CompilerLimits compiler_limits(Device device) {
  const std::chrono::seconds processor_time{device == Device::cuda ? 300 : 120};
  return {.memory_bytes = std::min<std::size_t>(most_memory, machine_memory() / 2),
          .processor_time = processor_time,
          .file_bytes = most_of_files};
}

// Resident sets are added up. Pages that processes share count for each, and these are some MiB of
// the compilers' own code. Proportional sets would be exact, but each look would walk all pages.
std::string exceeded_limit(pid_t compiler, const CompilerLimits& limits) {
  std::vector<Process> processes = processes_below(compiler);
  if (const std::optional<Process> first = find_process(compiler)) processes.push_back(*first);
  if (processes.empty()) return {};
  std::uint64_t memory = 0;
  std::chrono::milliseconds time{};
  for (const Process& process : processes) {
    memory += process.resident_bytes;
    time += process.processor_time;
  }
  if (memory > limits.memory_bytes) {
    const auto largest = std::ranges::max_element(processes, {}, &Process::resident_bytes);
    return words(
        fmt::format("had {} MiB of memory in {} processes, {} of it in {}", memory / mebibyte,
                    processes.size(), largest->resident_bytes / mebibyte, largest->name),
        fmt::format("{} MiB", limits.memory_bytes / mebibyte));
  }
  if (time > limits.processor_time) {
    return words(
        fmt::format("used {:.1f} s of a processor", std::chrono::duration<double>(time).count()),
        fmt::format("{} s", limits.processor_time.count()));
  }
  return {};
}

CommandResult run_within(const CompilerLimits& limits, SpawnOptions options,
                         std::chrono::milliseconds timeout, const std::stop_token& stop) {
  const std::string directory = options.working_directory;
  options.limits = resource_limits(limits);
  const auto excess_of = [&](pid_t compiler) {
    std::string excess = exceeded_limit(compiler, limits);
    return excess.empty() ? exceeded_files(directory, limits) : excess;
  };
  CommandResult result = run_to_end(std::move(options), timeout, stop, excess_of);
  // What was written after the last look.
  if (result.excess.empty()) result.excess = exceeded_files(directory, limits);
  if (result.excess.empty()) result.excess = excess_by_output(result, limits);
  return result;
}

}  // namespace robust_kbench
