#include "ipc/host_mapping.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t pages_up_to(std::size_t byte) {
  return (byte + page_bytes() - 1) / page_bytes();
}

ByteRange whole_pages(ByteRange range) {
  return {range.begin / page_bytes() * page_bytes(), pages_up_to(range.end) * page_bytes()};
}

std::byte* map(int fd, std::size_t bytes) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (data == MAP_FAILED)
    throw system_failure("arena: cannot map " + std::to_string(bytes) + " bytes");
  return static_cast<std::byte*>(data);
}

// For each page, whether any of the `ranges` has a byte in it.
std::vector<bool> pages_of(const std::vector<ByteRange>& ranges, std::size_t bytes) {
  std::vector<bool> pages(pages_up_to(bytes));
  for (const ByteRange& range : ranges) {
    for (std::size_t i = range.begin / page_bytes(); i < pages_up_to(range.end); ++i) {
      pages[i] = true;
    }
  }
  return pages;
}

}  // namespace

HostMapping::HostMapping(int fd, std::size_t bytes) : m_data(map(fd, bytes)), m_bytes(bytes) {}

HostMapping::HostMapping(HostMapping&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)),
      m_bytes(other.m_bytes),
      m_populated(other.m_populated) {}

HostMapping& HostMapping::operator=(HostMapping&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_bytes, other.m_bytes);
  std::swap(m_populated, other.m_populated);
  return *this;
}

HostMapping::~HostMapping() {
  if (m_data != nullptr) munmap(m_data, m_bytes);
}

void HostMapping::populate(ByteRange range) {
  const auto [begin, end] = whole_pages(range);
  if (begin >= end || (begin >= m_populated.begin && end <= m_populated.end)) return;
  // This fails before Linux 5.14. There the first calls have page faults.
  madvise(m_data + begin, end - begin, MADV_POPULATE_WRITE);
  const bool first = m_populated.begin == m_populated.end;
  m_populated.begin = first ? begin : std::min(m_populated.begin, begin);
  m_populated.end = first ? end : std::max(m_populated.end, end);
}

std::vector<std::span<std::byte>> HostMapping::move_away(int fd,
                                                         const std::vector<ByteRange>& kept) {
  std::byte* const old = std::exchange(m_data, map(fd, m_bytes));
  m_populated = {};
  std::vector<std::span<std::byte>> stayed;
  const std::vector<bool> stays = pages_of(kept, m_bytes);
  for (std::size_t first = 0, last = 0; first < stays.size(); first = last) {
    while (last < stays.size() && stays[last] == stays[first]) ++last;
    const std::size_t offset = first * page_bytes();
    const std::size_t bytes = (last - first) * page_bytes();
    if (!stays[first]) {
      munmap(old + offset, bytes);
      continue;
    }
    if (mmap(old + offset, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
             -1, 0) == MAP_FAILED) {
      throw system_failure("arena: cannot keep " + std::to_string(bytes) + " bytes");
    }
    std::memcpy(old + offset, m_data + offset, std::min(bytes, m_bytes - offset));
    stayed.emplace_back(old + offset, bytes);
  }
  return stayed;
}

void HostMapping::unmap(std::span<std::byte> kept) {
  munmap(kept.data(), kept.size());
}

}  // namespace robust_kbench
