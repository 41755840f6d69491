#include "exec/arena.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

// A batch of some hundred calls with some tens of temporaries each.
constexpr std::size_t log_capacity = 1U << 16;
constexpr std::size_t log_begin = arena_alignment;
static_assert(sizeof(ArenaHeader) <= log_begin);

[[noreturn]] void fail(const std::string& what) {
  throw HarnessError("arena: " + what + ": " + std::strerror(errno));
}

std::byte* map(int fd, std::size_t size) {
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  return data == MAP_FAILED ? nullptr : static_cast<std::byte*>(data);
}

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

Arena Arena::create(std::size_t bytes) {
  const std::size_t least = log_begin + log_capacity * sizeof(Allocation) + poison_ahead_bytes;
  const std::size_t size = std::max(bytes, least);
  const int fd = memfd_create("robust_kbench_arena", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) fail("memfd_create");
  if (ftruncate(fd, static_cast<off_t>(size)) != 0 ||
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    close(fd);
    fail("cannot make " + std::to_string(size) + " bytes");
  }
  Arena arena(fd, size);
  arena.header().size = size;
  return arena;
}

Arena Arena::attach(int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) fail("fstat of fd " + std::to_string(fd));
  return {fd, static_cast<std::size_t>(status.st_size)};
}

Arena::Arena(int fd, std::size_t size) : m_fd(fd), m_size(size) {
  m_data = map(fd, size);
  if (m_data != nullptr) return;
  close(fd);
  fail("cannot map " + std::to_string(size) + " bytes");
}

Arena::Arena(Arena&& other) noexcept
    : m_fd(std::exchange(other.m_fd, -1)),
      m_size(std::exchange(other.m_size, 0)),
      m_data(std::exchange(other.m_data, nullptr)),
      m_populated(std::exchange(other.m_populated, 0)) {}

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(m_fd, other.m_fd);
  std::swap(m_size, other.m_size);
  std::swap(m_data, other.m_data);
  std::swap(m_populated, other.m_populated);
  return *this;
}

Arena::~Arena() {
  if (m_data != nullptr) munmap(m_data, m_size);
  if (m_fd >= 0) close(m_fd);
}

ArenaHeader& Arena::header() const {
  return *reinterpret_cast<ArenaHeader*>(m_data);
}

std::span<Allocation> Arena::log() const {
  return {reinterpret_cast<Allocation*>(m_data + log_begin), log_capacity};
}

std::size_t Arena::inputs_begin() const {
  return align_up(log_begin + log_capacity * sizeof(Allocation));
}

void Arena::poison(std::size_t begin, std::size_t end, std::uint64_t poison) const {
  auto* words = reinterpret_cast<std::uint64_t*>(m_data + begin);
  std::fill_n(words, (end - begin) / sizeof(poison), poison);
}

std::size_t Arena::first_unpoisoned(std::size_t begin, std::size_t end,
                                    std::uint64_t poison) const {
  const auto expected = [&](std::size_t offset) {
    return static_cast<std::byte>(poison >> offset % 8 * 8);
  };
  while (begin < end) {
    std::uint64_t word = poison;
    if (begin % 8 == 0) {
      for (; end - begin >= 8; begin += 8) {
        std::memcpy(&word, m_data + begin, 8);
        if (word != poison) break;
      }
    }
    const std::size_t stop = std::min(end, begin / 8 * 8 + 8);
    for (; begin < stop; ++begin) {
      if (m_data[begin] != expected(begin)) return begin;
    }
  }
  return end;
}

void Arena::populate(std::size_t end) {
  const std::size_t until = std::min(m_size, round_up(end, page_bytes()));
  if (until <= m_populated) return;
  // Before Linux 5.14 this fails, and the first calls pay for their page faults.
  madvise(m_data + m_populated, until - m_populated, MADV_POPULATE_WRITE);
  m_populated = until;
}

void Arena::move_away_from(const std::vector<Allocation>& kept) {
  std::byte* const old = std::exchange(m_data, map(m_fd, m_size));
  if (m_data == nullptr) fail("cannot map " + std::to_string(m_size) + " bytes again");
  m_populated = 0;
  std::vector<bool> stays(round_up(m_size, page_bytes()) / page_bytes());
  for (const Allocation& range : kept) {
    const std::size_t end = std::min<std::size_t>(m_size, range.offset + range.bytes);
    for (std::size_t at = range.offset; at < round_up(end, page_bytes()); at += page_bytes()) {
      stays[at / page_bytes()] = true;
    }
  }
  for (std::size_t begin = 0, end = 0; begin < stays.size(); begin = end) {
    while (end < stays.size() && stays[end] == stays[begin]) ++end;
    const std::size_t offset = begin * page_bytes();
    const std::size_t bytes = (end - begin) * page_bytes();
    if (!stays[begin]) {
      munmap(old + offset, bytes);
      continue;
    }
    if (mmap(old + offset, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
             -1, 0) == MAP_FAILED) {
      fail("cannot keep " + std::to_string(bytes) + " bytes");
    }
    std::memcpy(old + offset, m_data + offset, std::min(bytes, m_size - offset));
  }
}

}  // namespace robust_kbench
