#include "device/cuda_memory.hpp"

#include <algorithm>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

#include "device/gpu_memory_wait.hpp"

namespace robust_kbench {
namespace {

using Address = CudaDriver::Address;
using Handle = CudaDriver::Handle;

constexpr CudaDriver::AllocationProperties properties{};
constexpr int file_descriptor = properties.requested_handle_type;

std::size_t granularity() {
  static const std::size_t unit = [] {
    std::size_t bytes = 0;
    cuda_driver().check(cuda_driver().get_granularity(&bytes, &properties, 0),
                        "cuMemGetAllocationGranularity");
    return bytes;
  }();
  return unit;
}

std::size_t round_up_to_granularity(std::size_t bytes) {
  return (bytes + granularity() - 1) / granularity() * granularity();
}

// The ranges extended to whole units of granularity, with no unit in two of them.
std::vector<ByteRange> whole_units(const std::vector<ByteRange>& ranges) {
  std::vector<ByteRange> whole;
  for (const ByteRange& range : ranges) {
    const std::size_t begin = range.begin / granularity() * granularity();
    const std::size_t end = round_up_to_granularity(range.end);
    if (whole.empty() || whole.back().end < begin) {
      whole.push_back({begin, end});
    } else {
      whole.back().end = std::max(whole.back().end, end);
    }
  }
  return whole;
}

Handle create_handle(std::size_t bytes) {
  const CudaDriver& driver = cuda_driver();
  Handle handle = 0;
  driver.check(driver.create(&handle, bytes, &properties, 0), "cuMemCreate");
  return handle;
}

Address reserve(std::size_t bytes, Address wanted = 0) {
  const CudaDriver& driver = cuda_driver();
  Address address = 0;
  driver.check(driver.reserve(&address, bytes, 0, wanted, 0), "cuMemAddressReserve");
  // The driver takes an address as a hint alone.
  if (wanted == 0 || address == wanted) return address;
  driver.free_reserved(address, bytes);
  throw HarnessError("the GPU's addresses from " + std::to_string(wanted) + " on are taken");
}

void map(Address address, std::size_t bytes, Handle handle) {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.map(address, bytes, 0, handle, 0), "cuMemMap");
  const CudaDriver::AccessDescription access;
  driver.check(driver.set_access(address, bytes, &access, 1), "cuMemSetAccess");
}

}  // namespace

CudaMemory CudaMemory::create(std::size_t bytes) {
  const CudaDriver& driver = cuda_driver();
  CudaMemory memory(bytes);
  memory.m_handle = create_handle(memory.m_bytes);
  driver.check(driver.export_handle(&memory.m_fd, memory.m_handle, file_descriptor, 0),
               "cuMemExportToShareableHandle");
  fcntl(memory.m_fd, F_SETFD, FD_CLOEXEC);
  memory.map_it();
  return memory;
}

CudaMemory CudaMemory::create_before_unmapped(std::size_t bytes) {
  CudaMemory memory(bytes, granularity());
  memory.m_handle = create_handle(memory.m_bytes);
  memory.map_it();
  return memory;
}

CudaMemory CudaMemory::create_at(std::size_t bytes, Address address, std::size_t reserved_bytes) {
  const std::size_t whole = round_up_to_granularity(bytes);
  CudaMemory memory(bytes, std::max(reserved_bytes, whole) - whole);
  memory.m_handle = create_handle(memory.m_bytes);
  memory.map_it(address);
  return memory;
}

CudaMemory CudaMemory::attach(int fd, std::size_t bytes, Address address) {
  const CudaDriver& driver = cuda_driver();
  CudaMemory memory(bytes);
  // The function takes the file descriptor itself in place of a pointer to it.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  void* const value = reinterpret_cast<void*>(static_cast<std::intptr_t>(fd));
  driver.check(driver.import_handle(&memory.m_handle, value, file_descriptor),
               "cuMemImportFromShareableHandle");
  memory.map_it(address);
  return memory;
}

// The object owns each part as soon as it is made, so that nothing leaks where a step fails.
CudaMemory::CudaMemory(std::size_t bytes, std::size_t unmapped_bytes)
    : m_bytes(round_up_to_granularity(bytes)), m_unmapped_bytes(unmapped_bytes) {}

void CudaMemory::map_it(Address address) {
  m_address = reserve(m_bytes + m_unmapped_bytes, address);
  map(m_address, m_bytes, m_handle);
}

CudaMemory::CudaMemory(CudaMemory&& other) noexcept
    : m_handle(std::exchange(other.m_handle, 0)),
      m_fd(std::exchange(other.m_fd, -1)),
      m_bytes(std::exchange(other.m_bytes, 0)),
      m_unmapped_bytes(std::exchange(other.m_unmapped_bytes, 0)),
      m_address(std::exchange(other.m_address, 0)) {}

CudaMemory& CudaMemory::operator=(CudaMemory&& other) noexcept {
  std::swap(m_handle, other.m_handle);
  std::swap(m_fd, other.m_fd);
  std::swap(m_bytes, other.m_bytes);
  std::swap(m_unmapped_bytes, other.m_unmapped_bytes);
  std::swap(m_address, other.m_address);
  return *this;
}

CudaMemory::~CudaMemory() {
  if (m_fd >= 0) close(m_fd);
  if (m_handle == 0) return;
  // An error here means that a kernel broke the context, or that mapping had failed. There is
  // nothing left to free then.
  const CudaDriver& driver = cuda_driver();
  if (m_address != 0) {
    driver.unmap(m_address, m_bytes);
    driver.free_reserved(m_address, m_bytes + m_unmapped_bytes);
  }
  driver.release(m_handle);
}

std::vector<std::span<std::byte>> CudaMemory::move_away(const std::vector<ByteRange>& kept) {
  const CudaDriver& driver = cuda_driver();
  const std::vector<ByteRange> ranges = whole_units(kept);
  // Allocated before anything is moved, so that a lack of memory changes nothing.
  std::vector<Handle> own;
  own.reserve(ranges.size());
  for (const ByteRange& range : ranges) {
    own.push_back(wait_for_gpu_memory([&] { return create_handle(range.end - range.begin); }));
  }
  const Address moved = reserve(m_bytes);
  map(moved, m_bytes, m_handle);
  const Address old = std::exchange(m_address, moved);
  driver.check(driver.synchronize(), "cuCtxSynchronize");
  driver.check(driver.unmap(old, m_bytes), "cuMemUnmap");
  std::vector<std::span<std::byte>> stayed;
  stayed.reserve(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto [begin, end] = ranges[i];
    map(old + begin, end - begin, own[i]);
    driver.check(driver.release(own[i]), "cuMemRelease");  // the mapping keeps it alive
    driver.check(driver.copy(old + begin, m_address + begin, end - begin), "cuMemcpy");
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are integers
    stayed.emplace_back(reinterpret_cast<std::byte*>(old + begin), end - begin);
  }
  // A copy on the GPU is asynchronous, and the other process may overwrite its source at once.
  driver.check(driver.synchronize(), "cuCtxSynchronize");
  return stayed;
}

void CudaMemory::unmap(std::span<std::byte> kept) {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.unmap(CudaDriver::address_of(kept.data()), kept.size()), "cuMemUnmap");
}

}  // namespace robust_kbench
