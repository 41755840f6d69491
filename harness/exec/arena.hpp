#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace robust_kbench {

// The memory that a worker shares with its broker: a memfd mapped by both. Inputs lie there, and
// everything that a kernel allocates; the broker looks at guard zones, poison and inputs from its
// own side, so a worker's word is never needed. References never lie there.
//
//   [header | allocation log | inputs: placed by the broker | kernel: a bump allocator of the worker]
//
// Guard zones and everything not yet allocated hold `poison`; its payload is secret per call.
struct ArenaHeader {
  std::uint64_t size;             // of the whole mapping, bytes
  std::uint64_t kernel_begin;     // offset of the first byte that the worker may hand out
  std::uint64_t poisoned_until;   // the broker has poisoned [kernel_begin, this)
  std::uint64_t poison;           // what the worker fills beyond that with, as it allocates
  std::uint64_t cursor;           // next free byte
  std::uint64_t allocation_count; // entries of the log; beyond its capacity allocation fails
};

struct Allocation {
  std::uint64_t offset;
  std::uint64_t bytes;
};

// Torch aligns CPU tensors to 64 bytes; a guard zone is at least as long.
inline constexpr std::size_t arena_alignment = 64;
inline constexpr std::size_t guard_bytes = 128;

// A NaN as float32 and as float64, a huge number as int64, with a random payload.
constexpr std::uint64_t poison_word(std::uint64_t key) {
  const std::uint64_t payload = key & 0x000fffffULL;
  return 0x7ff000007ff00000ULL | payload << 32 | payload | 0x0000000100000001ULL;
}

class Arena {
 public:
  // Makes a new memfd of `bytes` (sparse: pages cost memory when touched). Throws HarnessError.
  static Arena create(std::size_t bytes);
  // Maps one that was inherited as `fd`.
  static Arena attach(int fd);

  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  ~Arena();

  [[nodiscard]] int fd() const { return m_fd; }
  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] std::byte* data() const { return m_data; }
  [[nodiscard]] ArenaHeader& header() const;
  [[nodiscard]] std::span<Allocation> log() const;  // the whole capacity
  [[nodiscard]] std::size_t inputs_begin() const;   // first byte after the log

 private:
  Arena(int fd, std::size_t size);

  int m_fd = -1;
  std::size_t m_size = 0;
  std::byte* m_data = nullptr;
};

}  // namespace robust_kbench
