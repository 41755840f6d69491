#include "broker/worker_use.hpp"

#include <cstdint>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <utility>

#include "process/bytes_below.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr std::chrono::milliseconds look_interval{250};
constexpr std::uint64_t page_bytes = 4096;

std::uint64_t mebibytes(std::uint64_t bytes) {
  return bytes >> 20;
}

// The bytes that are used of the file system at `path`, if it is another one than that of
// `outside`.
std::optional<std::uint64_t> used_bytes(const std::string& path, const std::string& outside) {
  struct stat there {};
  struct stat here {};
  struct statvfs space {};
  if (stat(path.c_str(), &there) != 0 || stat(outside.c_str(), &here) != 0) return std::nullopt;
  if (there.st_dev == here.st_dev || statvfs(path.c_str(), &space) != 0) return std::nullopt;
  return (space.f_blocks - space.f_bfree) * space.f_frsize;
}

}  // namespace

WorkerUse::WorkerUse(ChildProcess& process, std::string directory, const Limits& limits)
    : m_process(process),
      m_directory(std::move(directory)),
      m_limits(limits),
      m_next(std::chrono::steady_clock::now() + look_interval) {}

std::optional<std::string> WorkerUse::excess() {
  const auto now = std::chrono::steady_clock::now();
  if (now < m_next) return std::nullopt;
  m_next = now + look_interval;
  const int threads = m_process.thread_count();
  if (threads > m_limits.threads) {
    return fmt::format("had {} threads in its processes; the limit is {}", threads,
                       m_limits.threads);
  }
  return excess_of_files();
}

// In the sandbox's view the directory is a file system that is full at the limit.
std::optional<std::string> WorkerUse::excess_of_files() const {
  const std::uint64_t limit = m_limits.scratch_bytes;
  const std::string inside = "/proc/" + std::to_string(m_process.pid()) + "/root" + m_directory;
  const auto used = used_bytes(inside, m_directory);
  const bool full = used && *used + page_bytes > limit;
  const std::uint64_t bytes = used ? *used : bytes_below(m_directory, limit);
  if (!full && bytes <= limit) return std::nullopt;
  return fmt::format("wrote {} MiB or more to its temporary directory; the limit is {} MiB",
                     mebibytes(bytes), mebibytes(limit));
}

}  // namespace robust_kbench
