#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/cipher.hpp"
#include "ipc/arena.hpp"
#include "ipc/message.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// The places of the tensors of a batch.
enum class Addresses {
  fresh,  // at random
  same,   // as in the batch before, so that results cached by address are wrong
};

// One input tensor in the arena, with the broker's own copy, which no worker sees.
struct PlacedTensor {
  std::string name;
  std::size_t call = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  at::Tensor pristine;  // contiguous

  [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
};

// The inputs of a batch, between guard zones, in ascending order of address.
struct Placement {
  std::vector<PlacedTensor> tensors;
  std::vector<Call> calls;
  std::uint64_t begin = 0;         // of the inputs
  std::uint64_t kernel_begin = 0;  // first byte that the kernel may be given
};

// Chooses the places of the tensors of `calls`, and writes the kernel's arguments. `layout` draws
// the order of the calls in memory, and the gaps. Throws HarnessError if they do not fit into
// `arena`.
Placement place(const Arena& arena, const Workload& workload, std::span<const Tensors> calls,
                CipherStream layout);

// Poisons the gaps, and at least `kernel_bytes` of the memory that the kernel may be given. Sets
// the arena's header.
void poison_around(Arena& arena, const Placement& placement, std::uint64_t poison,
                   std::uint64_t kernel_bytes);
// Writes the inputs and waits until it is done. Call it after poison_around(), which poisons small
// inputs as well.
void write_inputs(Arena& arena, const Placement& placement);

}  // namespace robust_kbench
