#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/byte_range.hpp"
#include "core/descriptor.hpp"
#include "device/cuda_memory.hpp"
#include "ipc/host_mapping.hpp"
#include "ipc/poison.hpp"

namespace robust_kbench {

// The memory that a worker shares with its broker, mapped by both. It holds the inputs and
// everything that a kernel allocates. The broker inspects guard zones, poison and inputs itself, so
// it never has to believe a worker. References are never in it.
//
//   [header | allocation log | inputs, placed by the broker | kernel: the worker's bump allocator]
//
// For a CPU kernel all of this is one memfd. For a CUDA kernel only header and log are in the
// memfd. The rest is GPU memory, and offsets count from its start.
//
// Guard zones and all memory that is not yet allocated hold `poison`, whose payload is secret for
// each call. All 8-byte words at offsets that are multiples of 8 are the same, so any range can be
// checked alone.
// Where a worker hands inputs to the kernel. Both kinds of copies are private to the worker.
struct InputPlace {
  std::uint64_t before_unmapped = 0;  // 1: in copies, each of which ends at an unmapped page
  std::uint64_t shift = 0;  // not 0: in copies that begin so many bytes past a page's beginning

  [[nodiscard]] bool in_arena() const { return before_unmapped == 0 && shift == 0; }
};

struct ArenaHeader {
  std::uint64_t size;              // bytes; every offset is below it
  std::uint64_t kernel_begin;      // offset of the first byte that the worker may hand out
  std::uint64_t poisoned_until;    // [kernel_begin, this) was poisoned before it was handed out
  std::uint64_t poison;            // the worker fills memory beyond that with it, as it allocates
  std::uint64_t cursor;            // next free byte
  std::uint64_t allocation_count;  // entries of the log; when it is full, allocation fails
  InputPlace input_place;
};

struct Allocation {
  std::uint64_t offset;
  std::uint64_t bytes;
};

// Torch aligns CPU tensors to 64 bytes and CUDA tensors to 512. A guard zone is at least as long.
inline constexpr std::size_t arena_alignment = 64;
inline constexpr std::size_t gpu_arena_alignment = 512;
inline constexpr std::size_t guard_bytes = 128;
inline constexpr std::size_t gpu_guard_bytes = 512;

// Memory is poisoned this far ahead of the allocator, so that a write past the last tensor is
// found.
inline constexpr std::size_t poison_ahead_bytes = std::size_t{64} << 10;

constexpr std::uint64_t align_up(std::uint64_t offset, std::uint64_t alignment = arena_alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

// A worker maps the GPU memory of its arena at these addresses. 0 means anywhere.
struct ArenaAddresses {
  std::uint64_t inputs = 0;
  std::uint64_t kernel = 0;
};

class Arena {
 public:
  // Makes a new memfd of `bytes`, whose pages take memory only when they are touched. Its size is
  // sealed, so that a worker cannot shrink it under the broker. Throws HarnessError.
  static Arena create(std::size_t bytes);
  // Makes an arena with `bytes` of GPU 0, which are all allocated at once.
  static Arena create_on_gpu(std::size_t bytes);
  // Maps an arena inherited as `fd` and, where `gpu_fd` is given, its GPU memory. Throws
  // HarnessError, also where the GPU's addresses are taken.
  static Arena attach(int fd, std::optional<int> gpu_fd = std::nullopt,
                      ArenaAddresses addresses = {});

  [[nodiscard]] int fd() const { return m_fd.get(); }
  [[nodiscard]] bool on_gpu() const { return m_gpu.has_value(); }
  [[nodiscard]] int gpu_fd() const { return m_gpu->fd(); }
  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] std::byte* data() const { return on_gpu() ? m_gpu->data() : m_host.data(); }
  // The mapping for the kernel's own tensors. In a worker it is a second mapping of the same
  // memory. Its addresses may change from batch to batch, while those of the inputs stay.
  [[nodiscard]] std::byte* kernel_data() const;
  // The offset of an address in either mapping. Nothing unless all `bytes` from there are in the
  // arena.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(const void* address,
                                                       std::size_t bytes) const;
  [[nodiscard]] std::size_t alignment() const {
    return on_gpu() ? gpu_arena_alignment : arena_alignment;
  }
  [[nodiscard]] std::size_t guard_bytes() const {
    return on_gpu() ? gpu_guard_bytes : robust_kbench::guard_bytes;
  }
  [[nodiscard]] ArenaHeader& header() const;
  [[nodiscard]] std::span<Allocation> log() const;  // the whole capacity
  [[nodiscard]] std::size_t inputs_begin() const;   // first byte after the log

  // Copies from or to memory of the host or of the GPU.
  void write(std::size_t offset, const void* from, std::size_t bytes) const;
  void read(std::size_t offset, void* to, std::size_t bytes) const;
  // Waits for the GPU, since `write` and `poison` may return before they are done there.
  void synchronize() const;

  // Fills [begin, end) with `poison`; both are multiples of 8.
  void poison(std::size_t begin, std::size_t end, std::uint64_t poison) const;
  // The first byte of [begin, end) that is not poison; `end` when all are.
  [[nodiscard]] std::size_t first_unpoisoned(std::size_t begin, std::size_t end,
                                             std::uint64_t poison) const;
  // Gives host pages back to the operating system, and so loses their content. GPU memory stays.
  void discard();
  // Maps the pages of the inputs, and of the kernel's memory up to `end`, so that a timed call has
  // no page fault.
  void populate(std::size_t end);

  // Remaps the kernel's memory, or the inputs, at another address. The old addresses lose it,
  // except for copies of the ranges `kept`, as (offset, bytes) in ascending order. These copies are
  // private, readable and writable. Throws HarnessError.
  void keep_of_kernel(const std::vector<Allocation>& kept);
  void keep_of_inputs(const std::vector<Allocation>& kept);
  // Unmaps those copies at old addresses that are no longer used.
  void forget_kept(const std::function<bool(std::span<const std::byte>)>& is_used);

 private:
  Arena(Descriptor fd, std::size_t host_bytes);
  template <typename MoveAway>
  void keep(const std::vector<Allocation>& kept, const MoveAway& move_away);

  Descriptor m_fd;
  HostMapping m_host;                        // mapping of the memfd
  std::optional<HostMapping> m_host_kernel;  // second mapping, in a worker
  std::size_t m_size;
  std::optional<CudaMemory> m_gpu;
  std::optional<CudaMemory> m_gpu_kernel;    // second mapping, in a worker
  std::vector<std::span<std::byte>> m_kept;  // copies at former addresses of the arena
};

}  // namespace robust_kbench
