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
constexpr std::size_t log_end = log_begin + log_capacity * sizeof(Allocation);
static_assert(sizeof(ArenaHeader) <= log_begin);

// Guard zones are short: the GPU's come to the host in pieces of this size.
constexpr std::size_t piece_bytes = std::size_t{64} << 10;

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

// How many of the bytes at `memory`, which are those of offsets [begin, end), are poison before the
// first that is not.
std::size_t poisoned_bytes(const std::byte* memory, std::size_t begin, std::size_t end,
                           std::uint64_t poison) {
  const std::byte* const arena = memory - begin;
  const std::size_t start = begin;
  const auto expected = [&](std::size_t offset) {
    return static_cast<std::byte>(poison >> offset % 8 * 8);
  };
  while (begin < end) {
    std::uint64_t word = poison;
    if (begin % 8 == 0) {
      for (; end - begin >= 8; begin += 8) {
        std::memcpy(&word, arena + begin, 8);
        if (word != poison) break;
      }
    }
    const std::size_t stop = std::min(end, begin / 8 * 8 + 8);
    for (; begin < stop; ++begin) {
      if (arena[begin] != expected(begin)) return begin - start;
    }
  }
  return end - start;
}

}  // namespace

Arena Arena::create(std::size_t bytes) {
  const std::size_t size = std::max(bytes, log_end + poison_ahead_bytes);
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

Arena Arena::create_on_gpu(std::size_t bytes) {
  Arena arena = create(log_end);
  arena.m_gpu = CudaMemory::create(bytes);
  arena.m_size = arena.header().size = bytes;
  return arena;
}

Arena Arena::attach(int fd, std::optional<int> gpu_fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) fail("fstat of fd " + std::to_string(fd));
  Arena arena(fd, static_cast<std::size_t>(status.st_size));
  if (gpu_fd) {
    arena.m_size = arena.header().size;
    arena.m_gpu = CudaMemory::attach(*gpu_fd, arena.m_size);
    arena.m_gpu_kernel = CudaMemory::attach(*gpu_fd, arena.m_size);
  } else {
    arena.m_host_kernel = map(fd, arena.m_host_bytes);
    if (arena.m_host_kernel == nullptr)
      fail("cannot map " + std::to_string(arena.m_size) + " bytes");
  }
  return arena;
}

Arena::Arena(int fd, std::size_t host_bytes)
    : m_fd(fd), m_host_bytes(host_bytes), m_host(map(fd, host_bytes)), m_size(host_bytes) {
  if (m_host != nullptr) return;
  close(fd);
  fail("cannot map " + std::to_string(host_bytes) + " bytes");
}

Arena::Arena(Arena&& other) noexcept
    : m_fd(std::exchange(other.m_fd, -1)),
      m_host_bytes(std::exchange(other.m_host_bytes, 0)),
      m_host(std::exchange(other.m_host, nullptr)),
      m_host_kernel(std::exchange(other.m_host_kernel, nullptr)),
      m_size(std::exchange(other.m_size, 0)),
      m_inputs_populated(other.m_inputs_populated),
      m_kernel_populated(other.m_kernel_populated),
      m_gpu(std::exchange(other.m_gpu, std::nullopt)),
      m_gpu_kernel(std::exchange(other.m_gpu_kernel, std::nullopt)),
      m_kept(std::exchange(other.m_kept, {})) {}

Arena& Arena::operator=(Arena&& other) noexcept {
  std::swap(m_fd, other.m_fd);
  std::swap(m_host_bytes, other.m_host_bytes);
  std::swap(m_host, other.m_host);
  std::swap(m_host_kernel, other.m_host_kernel);
  std::swap(m_size, other.m_size);
  std::swap(m_inputs_populated, other.m_inputs_populated);
  std::swap(m_kernel_populated, other.m_kernel_populated);
  std::swap(m_gpu, other.m_gpu);
  std::swap(m_gpu_kernel, other.m_gpu_kernel);
  std::swap(m_kept, other.m_kept);
  return *this;
}

Arena::~Arena() {
  if (m_host != nullptr) munmap(m_host, m_host_bytes);
  if (m_host_kernel != nullptr) munmap(m_host_kernel, m_host_bytes);
  if (m_fd >= 0) close(m_fd);
}

std::byte* Arena::kernel_data() const {
  if (m_gpu_kernel) return m_gpu_kernel->data();
  return m_host_kernel != nullptr ? m_host_kernel : data();
}

std::optional<std::uint64_t> Arena::offset_of(const void* address, std::size_t bytes) const {
  const auto* memory = static_cast<const std::byte*>(address);
  for (const std::byte* base : {data(), kernel_data()}) {
    if (memory >= base && memory <= base + m_size &&
        bytes <= static_cast<std::size_t>(base + m_size - memory)) {
      return static_cast<std::uint64_t>(memory - base);
    }
  }
  return std::nullopt;
}

ArenaHeader& Arena::header() const {
  return *reinterpret_cast<ArenaHeader*>(m_host);
}

std::span<Allocation> Arena::log() const {
  return {reinterpret_cast<Allocation*>(m_host + log_begin), log_capacity};
}

std::size_t Arena::inputs_begin() const {
  return on_gpu() ? 0 : align_up(log_end);
}

void Arena::write(std::size_t offset, const void* from, std::size_t bytes) const {
  if (!on_gpu()) {
    std::memcpy(m_host + offset, from, bytes);
    return;
  }
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.copy_async(CudaDriver::address_of(data() + offset),
                                 CudaDriver::address_of(from), bytes, nullptr),
               "cuMemcpyAsync");
}

void Arena::read(std::size_t offset, void* to, std::size_t bytes) const {
  if (!on_gpu()) {
    std::memcpy(to, m_host + offset, bytes);
    return;
  }
  const CudaDriver& driver = cuda_driver();
  driver.check(
      driver.copy(CudaDriver::address_of(to), CudaDriver::address_of(data() + offset), bytes),
      "cuMemcpy");
}

void Arena::synchronize() const {
  if (!on_gpu()) return;
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.synchronize(), "cuCtxSynchronize");
}

void Arena::poison(std::size_t begin, std::size_t end, std::uint64_t poison) const {
  if (!on_gpu()) {
    auto* words = reinterpret_cast<std::uint64_t*>(kernel_data() + begin);
    std::fill_n(words, (end - begin) / sizeof(poison), poison);
    return;
  }
  const CudaDriver& driver = cuda_driver();
  driver.check(
      driver.set_words_async(CudaDriver::address_of(data() + begin), static_cast<unsigned>(poison),
                             (end - begin) / sizeof(unsigned), nullptr),
      "cuMemsetD32Async");
}

std::size_t Arena::first_unpoisoned(std::size_t begin, std::size_t end,
                                    std::uint64_t poison) const {
  if (!on_gpu()) return begin + poisoned_bytes(m_host + begin, begin, end, poison);
  std::vector<std::byte> piece(std::min(end - begin, piece_bytes));
  while (begin < end) {
    const std::size_t bytes = std::min(end - begin, piece.size());
    read(begin, piece.data(), bytes);
    const std::size_t good = poisoned_bytes(piece.data(), begin, begin + bytes, poison);
    begin += good;
    if (good < bytes) return begin;
  }
  return end;
}

void Arena::populate(std::size_t end) {
  if (on_gpu()) return;
  const std::size_t kernel_begin = std::min<std::size_t>(header().kernel_begin, m_size);
  m_inputs_populated.add(m_host, 0, kernel_begin);
  m_kernel_populated.add(kernel_data(), kernel_begin, std::min(m_size, end));
}

void Arena::Populated::add(std::byte* base, std::size_t from, std::size_t to) {
  from = from / page_bytes() * page_bytes();
  to = round_up(to, page_bytes());
  if (from >= to || (from >= begin && to <= end)) return;
  // Before Linux 5.14 this fails, and the first calls pay for their page faults.
  madvise(base + from, to - from, MADV_POPULATE_WRITE);
  const bool empty = begin == end;
  begin = empty ? from : std::min(begin, from);
  end = empty ? to : std::max(end, to);
}

void Arena::keep_of_kernel(const std::vector<Allocation>& kept) {
  if (on_gpu()) return keep_on_gpu(*m_gpu_kernel, kept);
  keep_on_host(m_host_kernel != nullptr ? m_host_kernel : m_host, kept);
  m_kernel_populated = {};
}

void Arena::keep_of_inputs(const std::vector<Allocation>& kept) {
  if (on_gpu()) return keep_on_gpu(*m_gpu, kept);
  keep_on_host(m_host, kept);
  m_inputs_populated = {};
}

void Arena::forget_kept(const std::function<bool(std::span<const std::byte>)>& is_used) {
  std::erase_if(m_kept, [&](std::span<std::byte> kept) {
    if (is_used(kept)) return false;
    if (on_gpu()) {
      CudaMemory::unmap(kept);
    } else {
      munmap(kept.data(), kept.size());
    }
    return true;
  });
}

void Arena::keep_on_gpu(CudaMemory& memory, const std::vector<Allocation>& kept) {
  std::vector<CudaMemory::Range> ranges;
  for (const Allocation& range : kept) {
    const std::size_t end = std::min<std::size_t>(m_size, range.offset + range.bytes);
    if (range.offset < end) ranges.push_back({range.offset, end});
  }
  const auto stayed = memory.move_away(ranges);
  m_kept.insert(m_kept.end(), stayed.begin(), stayed.end());
}

void Arena::keep_on_host(std::byte*& base, const std::vector<Allocation>& kept) {
  std::byte* const old = std::exchange(base, map(m_fd, m_host_bytes));
  if (base == nullptr) fail("cannot map " + std::to_string(m_host_bytes) + " bytes again");
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
    std::memcpy(old + offset, base + offset, std::min(bytes, m_size - offset));
    m_kept.emplace_back(old + offset, bytes);
  }
}

}  // namespace robust_kbench
