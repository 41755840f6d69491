#include "compile/compiler_limits.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "process/machine_memory.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;
constexpr std::size_t most_memory = 6144 * mebibyte;
constexpr std::size_t most_of_a_file = 256 * mebibyte;

bool tells(const std::string& output, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return output.find(word) != std::string::npos; });
}

}  // namespace

CompilerLimits compiler_limits(Device device) {
  const std::chrono::seconds processor_time{device == Device::cuda ? 300 : 120};
  return {.memory_bytes = std::min<std::size_t>(most_memory, machine_memory() / 2),
          .processor_time = processor_time,
          .file_bytes = most_of_a_file};
}

std::vector<std::pair<int, rlim_t>> resource_limits(const CompilerLimits& limits) {
  std::vector<std::pair<int, rlim_t>> all{
      {RLIMIT_CORE, 0},
      {RLIMIT_AS, limits.memory_bytes},
      {RLIMIT_CPU, static_cast<rlim_t>(limits.processor_time.count())}};
  if (limits.file_bytes > 0) all.emplace_back(RLIMIT_FSIZE, limits.file_bytes);
  return all;
}

std::string exceeded_limit(const CommandResult& result, const CompilerLimits& limits) {
  if (result.exit_code == 0) return {};
  const auto words = [](const std::string& what) {
    return "the compiler asked for more than " + what + ", its limit; make the source smaller\n";
  };
  if (tells(result.output, {"CPU time limit exceeded"})) {
    return words(fmt::format("{} s of a processor", limits.processor_time.count()));
  }
  if (tells(result.output, {"File size limit exceeded", "File too large"})) {
    return words(fmt::format("{} MiB in one file", limits.file_bytes / mebibyte));
  }
  if (tells(result.output,
            {"out of memory", "memory exhausted", "Cannot allocate memory", "std::bad_alloc"})) {
    return words(fmt::format("{} MiB of memory", limits.memory_bytes / mebibyte));
  }
  return {};
}

}  // namespace robust_kbench
