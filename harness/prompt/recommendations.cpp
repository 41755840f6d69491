#include "prompt/recommendations.hpp"

#include <algorithm>

#include "source/split_mix.hpp"

namespace robust_kbench {
namespace {

const std::vector<Recommendation> cpu_menu{
    {"Let the innermost loop run over neighbouring elements, and change the order of loops for "
     "it."},
    {"Split sums into several independent ones, so that each addition need not wait for the last."},
    {"Use `#pragma omp simd`, with `reduction(+ : sum)` for sums, where iterations are "
     "independent.",
     {Technique::simd_pragma}},
    {"Write the innermost loop with AVX intrinsics where the compiler does not vectorize it well.",
     {Technique::vector_intrinsics}},
    {"Keep a block of results in registers while the loop over the summed dimension runs."},
    {"Work in tiles that fit into the L1 or L2 cache, and use each tile as often as possible."},
    {"Pack a strided or often used operand once into a contiguous buffer."},
    {"Give rows or tiles to threads by `at::parallel_for`, with a grain that makes threads "
     "worthwhile.",
     {Technique::threads}},
    {"Stay in one thread on small configs: starting threads takes several microseconds."},
    {"Do several passes over the data in one, so that each element is loaded once."},
    {"Replace divisions in loops by multiplications with a reciprocal that is computed once."},
    {"Handle the interior without bounds checks, and the borders and tails in loops of their own."},
    {"Make versions for frequent sizes as templates, with a general one for all others."},
    {"Call vector versions of exp, log and tanh, or approximate them to float32's precision."},
    {"Allocate outputs and buffers once, with torch::empty, and fill nothing that is overwritten."},
    {"Avoid intermediate tensors: fuse what follows into the loop that produces the values."},
};

const std::vector<Recommendation> cuda_menu{
    {"Let neighbouring threads read neighbouring addresses, and change the mapping of threads for "
     "it."},
    {"Load and store 16 bytes at a time as float4 where addresses are aligned, with a scalar tail.",
     {Technique::wide_accesses}},
    {"Give a warp to each row, and add by `__shfl_down_sync` or `__shfl_xor_sync`.",
     {Technique::warp_shuffles}},
    {"Give several rows to one block where rows are short, and several warps to one where it is "
     "long."},
    {"Use a grid-stride loop with as many blocks as the multiprocessors can hold.",
     {Technique::grid_stride}},
    {"Keep a tile of results in registers: each thread computes 4 x 4 or 8 x 8 of them."},
    {"Stage tiles of the operands in shared memory, padded so that no banks collide."},
    {"Load the next tile while the present one is computed on, with `cp.async` or with registers.",
     {Technique::asynchronous_copies}},
    {"Fuse all steps into one kernel: a launch takes as long as small configs do."},
    {"Read a row once into registers or shared memory where several passes over it are needed."},
    {"Split a long sum over blocks where there are few outputs, and add the parts in a second "
     "step."},
    {"Choose the block size so that registers and shared memory let enough warps be resident."},
    {"Use `__launch_bounds__` and `#pragma unroll` with counts that keep values in registers.",
     {Technique::launch_bounds, Technique::unrolling}},
    {"Mark inputs `const` and `__restrict__`, or read them by `__ldg`.",
     {Technique::restricted_pointers}},
    {"Replace divisions and modulo of indices by multiplications, shifts or running counters."},
    {"Make versions for frequent sizes as templates, with a general one for all others."},
    {"Avoid zeroing outputs and intermediate tensors, and atomics where a reduction can do it."},
    {"Call cuBLAS through at::linear or at::matmul for large products, and fuse the rest around "
     "it.",
     {Technique::library_products}},
};

}  // namespace

const std::vector<Recommendation>& recommendations(Device device) {
  return device == Device::cuda ? cuda_menu : cpu_menu;
}

std::vector<std::string> drawn_recommendations(Device device, double left_out, std::uint64_t seed,
                                               const std::set<Technique>& done) {
  SplitMix random(seed);
  std::vector<std::string> drawn;
  for (const Recommendation& recommendation : recommendations(device)) {
    const std::set<Technique>& does = recommendation.techniques;
    const bool is_done = !does.empty() && std::ranges::includes(done, does);
    if (!random.with_probability(left_out) && !is_done) drawn.push_back(recommendation.text);
  }
  return drawn;
}

std::uint64_t prompt_seed(int seed, std::int64_t proposal) {
  return static_cast<std::uint64_t>(seed) * 7919 + static_cast<std::uint64_t>(proposal);
}

}  // namespace robust_kbench
