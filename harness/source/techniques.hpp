#pragma once

#include <set>
#include <string_view>

namespace robust_kbench {

// Ways to make a kernel fast, as far as the words of a source show them.
enum class Technique {
  vector_intrinsics,    // of a CPU, or vector types that do the same
  simd_pragma,          // `#pragma omp simd`
  threads,              // more than one thread of a CPU
  wide_accesses,        // 16 bytes at a time on a GPU
  warp_shuffles,        // or the reductions of a warp
  asynchronous_copies,  // from global to shared memory
  tensor_cores,
  launch_bounds,
  unrolling,            // by a pragma
  restricted_pointers,  // or loads through the read-only cache
  grid_stride,
  library_products,  // of matrices
};

// The techniques of a source or of a part of one. Comments and the texts of messages do not count.
std::set<Technique> techniques_in(std::string_view source);

// The loop whose keyword stands on a line, from that to the end of its body. Empty where no loop
// begins there. The last one counts where several begin.
std::string_view loop_at(std::string_view source, int line);

// Whether a loop has no beginning of its own, as one that goes on where another has ended.
bool is_remainder(std::string_view loop);

}  // namespace robust_kbench
