#include "baseline/arena_allocator.hpp"

#include <cstdlib>
#include <new>
#include <string>

#include "core/error.hpp"
#include "runner/allocate.hpp"

namespace robust_kbench {
namespace {

// Precedes each block, in an alignment unit of its own.
struct BlockHeader {
  std::size_t bytes;  // of the block, rounded up
  bool in_arena;
};
static_assert(sizeof(BlockHeader) <= arena_alignment);

ArenaAllocator* the_allocator = nullptr;  // global, since deleters are plain functions

BlockHeader& header_of(void* data) {
  return *reinterpret_cast<BlockHeader*>(static_cast<std::byte*>(data) - arena_alignment);
}

void* with_header(void* memory, const BlockHeader& header) {
  new (memory) BlockHeader(header);
  return static_cast<std::byte*>(memory) + arena_alignment;
}

}  // namespace

ArenaAllocator& ArenaAllocator::install(Arena& arena) {
  static ArenaAllocator allocator(arena);
  the_allocator = &allocator;
  c10::SetAllocator(c10::DeviceType::CPU, &allocator);
  return allocator;
}

void ArenaAllocator::begin_batch() {
  const std::scoped_lock lock(m_mutex);
  m_in_batch = true;
  m_live = 0;
}

void ArenaAllocator::end_batch() {
  const std::scoped_lock lock(m_mutex);
  m_in_batch = false;
  m_free.clear();
  if (m_live != 0) {
    throw HarnessError("torch still holds " + std::to_string(m_live) +
                       " blocks of a batch that is over");
  }
}

c10::DataPtr ArenaAllocator::allocate(std::size_t bytes) {
  void* data = bytes == 0 ? nullptr : take(align_up(bytes));
  return {data, data, &delete_block, c10::Device(c10::DeviceType::CPU)};
}

c10::DeleterFnPtr ArenaAllocator::raw_deleter() const {
  return &delete_block;
}

void ArenaAllocator::copy_data(void* to, const void* from, std::size_t bytes) const {
  default_copy_data(to, from, bytes);
}

void* ArenaAllocator::take(std::size_t bytes) {
  const std::scoped_lock lock(m_mutex);
  if (m_in_batch) {
    if (const auto found = m_free.find(bytes); found != m_free.end() && !found->second.empty()) {
      void* data = found->second.back();
      found->second.pop_back();
      ++m_live;
      return data;
    }
    if (void* memory = arena_allocate(m_arena, bytes + arena_alignment)) {
      ++m_live;
      return with_header(memory, {.bytes = bytes, .in_arena = true});
    }
  }
  void* memory = std::aligned_alloc(arena_alignment, bytes + arena_alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return with_header(memory, {.bytes = bytes, .in_arena = false});
}

void ArenaAllocator::give_back(void* data) {
  const BlockHeader header = header_of(data);
  if (!header.in_arena) return std::free(&header_of(data));
  const std::scoped_lock lock(m_mutex);
  --m_live;
  m_free[header.bytes].push_back(data);
}

void ArenaAllocator::delete_block(void* data) {
  if (data != nullptr) the_allocator->give_back(data);
}

}  // namespace robust_kbench
