#include "ipc/arena.hpp"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

// Enough for a batch of some hundred calls with some tens of temporaries each.
constexpr std::size_t log_capacity = 1U << 16;
constexpr std::size_t log_begin = arena_alignment;
constexpr std::size_t log_end = log_begin + log_capacity * sizeof(Allocation);
static_assert(sizeof(ArenaHeader) <= log_begin);

// A GPU's guard zones are short, so they are copied to the host in pieces of this size.
constexpr std::size_t piece_bytes = std::size_t{64} << 10;

}  // namespace

Arena Arena::create(std::size_t bytes) {
  const std::size_t size = std::max(bytes, log_end + poison_ahead_bytes);
  Descriptor fd(memfd_create("robust_kbench_arena", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (fd.get() < 0) throw system_failure("arena: memfd_create");
  if (ftruncate(fd.get(), static_cast<off_t>(size)) != 0 ||
      fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    throw system_failure("arena: cannot make " + std::to_string(size) + " bytes");
  }
  Arena arena(std::move(fd), size);
  arena.header().size = size;
  return arena;
}

Arena Arena::create_on_gpu(std::size_t bytes) {
  Arena arena = create(log_end);
  arena.m_gpu = CudaMemory::create(bytes);
  arena.m_size = arena.header().size = bytes;
  return arena;
}

Arena Arena::attach(int fd, std::optional<int> gpu_fd, ArenaAddresses addresses) {
  struct stat status {};
  if (fstat(fd, &status) != 0) throw system_failure("arena: fstat of fd " + std::to_string(fd));
  Arena arena(Descriptor(fd), static_cast<std::size_t>(status.st_size));
  if (gpu_fd) {
    arena.m_size = arena.header().size;
    arena.m_gpu = CudaMemory::attach(*gpu_fd, arena.m_size, addresses.inputs);
    arena.m_gpu_kernel = CudaMemory::attach(*gpu_fd, arena.m_size, addresses.kernel);
  } else {
    arena.m_host_kernel.emplace(fd, arena.m_size);
  }
  return arena;
}

Arena::Arena(Descriptor fd, std::size_t host_bytes)
    : m_fd(std::move(fd)), m_host(m_fd.get(), host_bytes), m_size(host_bytes) {}

std::byte* Arena::kernel_data() const {
  if (m_gpu_kernel) return m_gpu_kernel->data();
  return m_host_kernel ? m_host_kernel->data() : data();
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
  return *reinterpret_cast<ArenaHeader*>(m_host.data());
}

std::span<Allocation> Arena::log() const {
  return {reinterpret_cast<Allocation*>(m_host.data() + log_begin), log_capacity};
}

std::size_t Arena::inputs_begin() const {
  return on_gpu() ? 0 : align_up(log_end);
}

void Arena::write(std::size_t offset, const void* from, std::size_t bytes) const {
  if (!on_gpu()) {
    std::memcpy(m_host.data() + offset, from, bytes);
    return;
  }
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.copy_async(CudaDriver::address_of(data() + offset),
                                 CudaDriver::address_of(from), bytes, nullptr),
               "cuMemcpyAsync");
}

void Arena::read(std::size_t offset, void* to, std::size_t bytes) const {
  if (!on_gpu()) {
    std::memcpy(to, m_host.data() + offset, bytes);
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
  if (!on_gpu()) return begin + poisoned_bytes(m_host.data() + begin, begin, end, poison);
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

void Arena::discard() {
  if (on_gpu()) return;
  const std::size_t begin = inputs_begin();
  if (fallocate(m_fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                static_cast<off_t>(m_size - begin)) != 0) {
    throw system_failure("arena: cannot give back " + std::to_string(m_size - begin) + " bytes");
  }
}

void Arena::populate(std::size_t end) {
  if (on_gpu()) return;
  const std::size_t kernel_begin = std::min<std::size_t>(header().kernel_begin, m_size);
  m_host.populate({0, kernel_begin});
  if (m_host_kernel) m_host_kernel->populate({kernel_begin, std::min(m_size, end)});
}

void Arena::keep_of_kernel(const std::vector<Allocation>& kept) {
  keep(kept, [this](const std::vector<ByteRange>& ranges) {
    if (on_gpu()) return m_gpu_kernel->move_away(ranges);
    return (m_host_kernel ? *m_host_kernel : m_host).move_away(m_fd.get(), ranges);
  });
}

void Arena::keep_of_inputs(const std::vector<Allocation>& kept) {
  keep(kept, [this](const std::vector<ByteRange>& ranges) {
    return on_gpu() ? m_gpu->move_away(ranges) : m_host.move_away(m_fd.get(), ranges);
  });
}

template <typename MoveAway>
void Arena::keep(const std::vector<Allocation>& kept, const MoveAway& move_away) {
  std::vector<ByteRange> ranges;
  for (const Allocation& range : kept) {
    const std::size_t end = std::min<std::size_t>(m_size, range.offset + range.bytes);
    if (range.offset < end) ranges.push_back({range.offset, end});
  }
  const std::vector<std::span<std::byte>> stayed = move_away(ranges);
  m_kept.insert(m_kept.end(), stayed.begin(), stayed.end());
}

void Arena::forget_kept(const std::function<bool(std::span<const std::byte>)>& is_used) {
  std::erase_if(m_kept, [&](std::span<std::byte> kept) {
    if (is_used(kept)) return false;
    if (on_gpu()) {
      CudaMemory::unmap(kept);
    } else {
      HostMapping::unmap(kept);
    }
    return true;
  });
}

}  // namespace robust_kbench
