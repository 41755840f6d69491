#include "source/techniques.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(Techniques, OfACpuAreFoundInTheWordsOfASource) {
  EXPECT_THAT(techniques_in("__m256 a = _mm256_loadu_ps(x);"),
              UnorderedElementsAre(Technique::vector_intrinsics));
  EXPECT_THAT(techniques_in("#pragma omp parallel for simd reduction(+ : sum)\n"),
              UnorderedElementsAre(Technique::simd_pragma, Technique::threads));
  EXPECT_THAT(techniques_in("at::parallel_for(0, n, 1, f);"),
              UnorderedElementsAre(Technique::threads));
}

TEST(Techniques, OfAGpuAreFoundInTheWordsOfASource) {
  EXPECT_THAT(
      techniques_in("__global__ void __launch_bounds__(256) k(const float4* __restrict__ x)"),
      UnorderedElementsAre(Technique::launch_bounds, Technique::wide_accesses,
                           Technique::restricted_pointers));
  EXPECT_THAT(
      techniques_in("#pragma unroll 4\nv += __shfl_xor_sync(~0u, v, i) * gridDim.x;"),
      UnorderedElementsAre(Technique::unrolling, Technique::warp_shuffles, Technique::grid_stride));
  EXPECT_THAT(
      techniques_in("asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16;\" :: \"r\"(a));"),
      UnorderedElementsAre(Technique::asynchronous_copies));
  EXPECT_THAT(techniques_in("wmma::mma_sync(c, a, b, c); y = at::matmul(a, b);"),
              UnorderedElementsAre(Technique::tensor_cores, Technique::library_products));
}

TEST(Techniques, AreNotWhatIsSaidOfThem) {
  EXPECT_THAT(techniques_in("// _mm256_loadu_ps, float4\nint x;  /* #pragma omp simd */\n"
                            "TORCH_CHECK(a, \"cp.async wants 16 bytes\");"),
              IsEmpty());
}

TEST(LoopAt, GivesTheLoopThatBeginsOnTheLine) {
  const char* source =
      "for (int i = 0; i < n; ++i) {\n"
      "  for (int j = 0; j < m; ++j) y[i] += f(x[j]);\n"
      "  z = 1;\n"
      "}\n"
      "for (; i < n; ++i)\n"
      "  y[i] = 0;\n";
  EXPECT_EQ(loop_at(source, 2), "for (int j = 0; j < m; ++j) y[i] += f(x[j]);");
  EXPECT_TRUE(loop_at(source, 1).ends_with("z = 1;\n}"));
  EXPECT_EQ(loop_at(source, 3), "");
  EXPECT_FALSE(is_remainder(loop_at(source, 1)));
  EXPECT_TRUE(is_remainder(loop_at(source, 5)));
  EXPECT_EQ(loop_at("for", 1), "for");
  EXPECT_EQ(loop_at("while (x", 1), "while (x");
}

}  // namespace
}  // namespace robust_kbench
