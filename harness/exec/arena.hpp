#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace robust_kbench {

// The memory that a worker shares with its broker: a memfd mapped by both. Inputs lie there, and
// everything that a kernel allocates; the broker looks at guard zones, poison and inputs from its
// own side, so a worker's word is never needed. References never lie there.
//
//   [header | allocation log | inputs: placed by the broker | kernel: a bump allocator of the
//   worker]
//
// Guard zones and everything not yet allocated hold `poison`; its payload is secret per call. The
// 8-byte word at every offset that is a multiple of 8 is the same, so any range can be checked
// alone.
struct ArenaHeader {
  std::uint64_t size;              // of the whole mapping, bytes
  std::uint64_t kernel_begin;      // offset of the first byte that the worker may hand out
  std::uint64_t poisoned_until;    // [kernel_begin, this) was poisoned before it was handed out
  std::uint64_t poison;            // what the worker fills beyond that with, as it allocates
  std::uint64_t cursor;            // next free byte
  std::uint64_t allocation_count;  // entries of the log; beyond its capacity allocation fails
};

struct Allocation {
  std::uint64_t offset;
  std::uint64_t bytes;
};

// Torch aligns CPU tensors to 64 bytes; a guard zone is at least as long.
inline constexpr std::size_t arena_alignment = 64;
inline constexpr std::size_t guard_bytes = 128;

// Poison is kept this far ahead of the allocator: a write past the last tensor shows up to here.
inline constexpr std::size_t poison_ahead_bytes = std::size_t{64} << 10;

constexpr std::uint64_t align_up(std::uint64_t offset) {
  return (offset + arena_alignment - 1) / arena_alignment * arena_alignment;
}

// A NaN as float32 and as float64, a huge number as int64, with a random payload.
constexpr std::uint64_t poison_word(std::uint64_t key) {
  const std::uint64_t payload = key & 0x000fffffULL;
  return 0x7ff000007ff00000ULL | payload << 32 | payload | 0x0000000100000001ULL;
}

class Arena {
 public:
  // Makes a new memfd of `bytes` (sparse: pages cost memory when touched). Its size is sealed, so a
  // worker cannot shrink it under the broker. Throws HarnessError.
  static Arena create(std::size_t bytes);
  // Maps one that was inherited as `fd`. Throws HarnessError.
  static Arena attach(int fd);

  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  [[nodiscard]] int fd() const { return m_fd; }
  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] std::byte* data() const { return m_data; }
  [[nodiscard]] ArenaHeader& header() const;
  [[nodiscard]] std::span<Allocation> log() const;  // the whole capacity
  [[nodiscard]] std::size_t inputs_begin() const;   // first byte after the log

  // Fills [begin, end) with `poison`; both are multiples of 8.
  void poison(std::size_t begin, std::size_t end, std::uint64_t poison) const;
  // The first byte of [begin, end) that is not poison; `end` when all are.
  [[nodiscard]] std::size_t first_unpoisoned(std::size_t begin, std::size_t end,
                                             std::uint64_t poison) const;
  // Maps the pages of everything up to `end` now, so that no page fault falls into a timed call.
  void populate(std::size_t end);

  // Maps the arena at another address. What lies in `kept` (offset and bytes each) stays readable
  // and writable at the old one as it is now, as private memory; the rest there is unmapped.
  // Throws HarnessError.
  void move_away_from(const std::vector<Allocation>& kept);

 private:
  Arena(int fd, std::size_t size);

  int m_fd = -1;
  std::size_t m_size = 0;
  std::byte* m_data = nullptr;
  std::size_t m_populated = 0;  // up to here, a multiple of the page size
};

}  // namespace robust_kbench
