#include "compile/lean_headers.hpp"

#include "kernel_builder.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::Contains;
using testing::Not;

std::vector<std::string> definitions_of(const std::string& source) {
  return lean_definitions({.sources = {source}});
}

TEST(LeanHeaders, AreKeptWhereTheTextNamesThem) {
  const KernelBuilder builder;
  const std::string source =
      builder.write("kernel.cu", "std::vector<int> a; int bessel = std::cyl_bessel_j(0, 1);");
  EXPECT_THAT(definitions_of(source), Not(Contains("RKB_WITHOUT_VECTOR")));
  EXPECT_THAT(definitions_of(source), Not(Contains("_GLIBCXX_BITS_SPECFUN_H=1")));
  EXPECT_THAT(definitions_of(source), Contains("RKB_WITHOUT_STRING"));
  EXPECT_THAT(definitions_of(source), Contains("RKB_WITHOUT_TUPLE"));
  EXPECT_THAT(definitions_of(source), Contains("RKB_WITHOUT_ALGORITHM"));
  const std::string other =
      builder.write("other.cu", "auto [value, index] = x.max(1); int least = std::min(1, 2);");
  EXPECT_THAT(definitions_of(other), Not(Contains("RKB_WITHOUT_TUPLE")));
  EXPECT_THAT(definitions_of(other), Not(Contains("RKB_WITHOUT_ALGORITHM")));
}

TEST(LeanHeaders, HoldTheOperatorsThatTheTextCalls) {
  const KernelBuilder builder;
  for (const char* text :
       {"auto y = torch::linear(x, w);", "at::mm_out(y, a, b);", "y = x.sum(0);", "y->add_(x);",
        "c10::optional<torch::Tensor> bias;", "at::cuda::OptionalCUDAGuard guard(x.device());"}) {
    EXPECT_THAT(definitions_of(builder.write("kernel.cu", text)),
                Not(Contains("RKB_WITHOUT_OPERATORS")))
        << text;
  }
  const std::string source = builder.write(
      "kernel.cu",
      "auto y = torch::zeros_like(x); auto stream = at::cuda::getCurrentCUDAStream(); "
      "f(std::sin(1));"
      "at::parallel_for(0, 1, 1, f); auto z = torch::empty({1}, x.options()).contiguous();");
  EXPECT_THAT(definitions_of(source), Contains("RKB_WITHOUT_OPERATORS"));
}

TEST(LeanHeaders, SufficeForAKernelThatNamesNothing) {
  const KernelBuilder builder;
  const BuildRecord record = builder.build(identity_kernel());
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  for (const char* header : {"VECTOR", "STRING", "TUPLE", "ALGORITHM", "OPERATORS"}) {
    EXPECT_THAT(record.flags, Contains(std::string("-DRKB_WITHOUT_") + header));
  }
}

TEST(LeanHeaders, AreKeptWhereAnIncludedTextNamesThem) {
  const KernelBuilder builder;
  builder.write("far.hpp", "inline void fail() { throw std::runtime_error(\"far\"); }");
  builder.write("near.hpp", "#include \"far.hpp\"\n#include \"near.hpp\"\n");
  const std::string source = builder.write("kernel.cu", "#include \"near.hpp\"\nint vectorised;");
  EXPECT_THAT(definitions_of(source), Not(Contains("RKB_WITHOUT_STRING")));
  EXPECT_THAT(definitions_of(source), Contains("RKB_WITHOUT_VECTOR"));
}

}  // namespace
}  // namespace robust_kbench
