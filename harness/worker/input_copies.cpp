#include "worker/input_copies.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "device/cuda_memory.hpp"

namespace robust_kbench {
namespace {

std::size_t page_size() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// Private pages, and one behind them that no access is allowed to.
std::span<std::byte> map_pages(std::size_t bytes) {
  const std::size_t pages = align_up(bytes, page_size());
  void* data = mmap(nullptr, pages + page_size(), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) {
    throw system_failure("worker: cannot map a copy of " + std::to_string(bytes) + " bytes");
  }
  auto* first = static_cast<std::byte*>(data);
  mprotect(first + pages, page_size(), PROT_NONE);
  return {first, pages};
}

}  // namespace

class InputCopies::Block {
 public:
  Block(bool on_gpu, std::size_t bytes) {
    if (on_gpu) {
      m_gpu = CudaMemory::create_before_unmapped(bytes);
      m_pages = {m_gpu->data(), m_gpu->size()};
    } else {
      m_pages = map_pages(bytes);
    }
  }
  ~Block() {
    if (!m_gpu) munmap(m_pages.data(), m_pages.size() + page_size());
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  [[nodiscard]] std::span<std::byte> pages() const { return m_pages; }

  // Copies from the arena to an address of the block.
  void fill(std::byte* to, const Arena& arena, std::uint64_t offset, std::size_t bytes) const {
    if (!m_gpu) {
      std::memcpy(to, arena.data() + offset, bytes);
      return;
    }
    const CudaDriver& driver = cuda_driver();
    driver.check(driver.copy(CudaDriver::address_of(to),
                             CudaDriver::address_of(arena.data() + offset), bytes),
                 "cuMemcpy");
    driver.check(driver.synchronize(), "cuCtxSynchronize");
  }

 private:
  std::optional<CudaMemory> m_gpu;
  std::span<std::byte> m_pages;
};

InputCopies::InputCopies() = default;
InputCopies::~InputCopies() = default;

std::byte* InputCopies::add(const Arena& arena, std::uint64_t offset, std::size_t bytes,
                            std::size_t element_bytes, InputPlace place) {
  const std::size_t shift = align_up(place.shift, std::max<std::size_t>(element_bytes, 1));
  const std::size_t taken = align_up(bytes, arena.alignment());
  m_blocks.push_back(
      std::make_unique<Block>(arena.on_gpu(), shift + std::max<std::size_t>(taken, 1)));
  const Block& block = *m_blocks.back();
  std::byte* const to = place.before_unmapped != 0
                            ? block.pages().data() + block.pages().size() - taken
                            : block.pages().data() + shift;
  block.fill(to, arena, offset, bytes);
  return to;
}

void InputCopies::forget(const std::function<bool(std::span<const std::byte>)>& is_used) {
  std::erase_if(m_blocks,
                [&](const std::unique_ptr<Block>& block) { return !is_used(block->pages()); });
}

}  // namespace robust_kbench
