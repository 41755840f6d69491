#include "mutation.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench::mutants {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kernel = R"(#include <cmath>

#include <torch/extension.h>

// A comment with for (int i = 0; i < n; ++i) and 1.0f.
namespace {

void scale(const float* x, const float* weight, float* y, int64_t rows, int64_t n) {
  for (int64_t i = 0; i < rows; ++i) {
    float sum = 0.0f;
    for (int64_t j = 0; j < std::min(n, rows); ++j) {
      sum += std::exp(x[i * n + j]);
    }
    if (sum > 4.0f) {
      y[i] = sum * weight[i] + 1.5f;
    }
  }
}

}  // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor weight) {
  TORCH_CHECK(x.dim() == 2 && x.size(0) > 1.0, "x");
  torch::Tensor y = torch::empty_like(x);
  scale(x.data_ptr<float>(), weight.data_ptr<float>(), y.data_ptr<float>(), x.size(0), x.size(1));
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward, "Scales");
}
)";

// What stands in the lines that the mutants of a rule changed.
std::vector<std::string> changed_lines(const std::string& source, const std::string& rule) {
  std::vector<std::string> lines;
  for (const Mutant& mutant : mutants_of(source)) {
    if (mutant.rule != rule) continue;
    EXPECT_EQ(mutant.place, static_cast<int>(lines.size()));
    const auto [a, b] =
        std::mismatch(source.begin(), source.end(), mutant.source.begin(), mutant.source.end());
    const auto at = static_cast<std::size_t>(b - mutant.source.begin());
    std::size_t begin = mutant.source.rfind('\n', at == 0 ? 0 : at - 1);
    begin = begin == std::string::npos ? 0 : mutant.source.find_first_not_of("\n ", begin);
    lines.push_back(mutant.source.substr(begin, mutant.source.find('\n', begin) - begin));
  }
  return lines;
}

TEST(Mutants, AreMadeByTheirRules) {
  EXPECT_THAT(changed_lines(kernel, "one_past"),
              ElementsAre("for (int64_t i = 0; i <= rows; ++i) {",
                          "for (int64_t j = 0; j <= std::min(n, rows); ++j) {"));
  EXPECT_THAT(changed_lines(kernel, "missing_tail"),
              ElementsAre("for (int64_t j = 0; j < (n); ++j) {"));
  EXPECT_THAT(changed_lines(kernel, "missing_bound_check"), ElementsAre("if (true) {"));
  EXPECT_THAT(changed_lines(kernel, "output_in_input"), ElementsAre("torch::Tensor y = x;"));
  EXPECT_THAT(changed_lines(kernel, "index_past"),
              ElementsAre("y[i + 1] = sum * weight[i] + 1.5f;"));
  EXPECT_THAT(changed_lines(kernel, "uninitialised"), ElementsAre("float sum ;"));
  EXPECT_THAT(changed_lines(kernel, "dropped_term"), ElementsAre("y[i] = sum * weight[i] ;"));
  EXPECT_THAT(changed_lines(kernel, "wrong_sign"), ElementsAre("y[i] = sum * weight[i] - 1.5f;"));
  EXPECT_THAT(changed_lines(kernel, "wrong_reduction"),
              ElementsAre("sum = std::exp(x[i * n + j]);"));
  EXPECT_THAT(changed_lines(kernel, "wrong_function"),
              ElementsAre("sum += std::exp2(x[i * n + j]);"));
  EXPECT_THAT(changed_lines(kernel, "swapped_arguments"),
              Contains(HasSubstr("scale(weight.data_ptr<float>(), x.data_ptr<float>(), y.")));
  EXPECT_THAT(changed_lines(kernel, "missing_argument"),
              ElementsAre("scale(x.data_ptr<float>(), weight.data_ptr<float>(), "
                          "y.data_ptr<float>(), x.size(0));"));
  EXPECT_THAT(changed_lines(kernel, "wrong_entry_point"),
              ElementsAre("m.def(\"run\", &forward, \"Scales\");"));
  EXPECT_EQ(changed_lines(kernel, "missing_include").size(), 2);
}

TEST(Mutants, OfFormulasLackEpsAndMaximumOrTakeAnotherElement) {
  const std::string formulas = R"(
void normalise(const float* x, float* y, int64_t rows, int64_t n, float eps, float maximum) {
  for (int64_t i = 0; i < rows; ++i) {
    if (x[i] > y[i]) y[i] = x[i];
    const float scale = 1.0f / (std::sqrt(y[i] + eps) - maximum);
    for (int64_t j = 0; j < n; ++j) y[i * n + j] *= scale;
  }
}
)";
  EXPECT_THAT(changed_lines(formulas, "wrong_tie"), ElementsAre("if (x[i] >= y[i]) y[i] = x[i];"));
  EXPECT_THAT(changed_lines(formulas, "without_eps"),
              ElementsAre("const float scale = 1.0f / (std::sqrt(y[i] ) - maximum);"));
  EXPECT_THAT(changed_lines(formulas, "without_maximum"),
              ElementsAre("const float scale = 1.0f / (std::sqrt(y[i] + eps) );"));
  EXPECT_THAT(changed_lines(formulas, "wrong_axis"),
              ElementsAre("for (int64_t j = 0; j < n; ++j) y[j * n + i] *= scale;"));
  EXPECT_THAT(changed_lines(formulas, "wrong_stride"),
              ElementsAre("for (int64_t j = 0; j < n; ++j) y[i * (n - 1) + j] *= scale;"));
}

TEST(Mutants, LeaveCommentsAndChecksOfArgumentsAlone) {
  for (const Mutant& mutant : mutants_of(kernel)) {
    EXPECT_THAT(mutant.source,
                HasSubstr("// A comment with for (int i = 0; i < n; ++i) and 1.0f."));
    EXPECT_THAT(mutant.source, HasSubstr("TORCH_CHECK(x.dim() == 2 && x.size(0) > 1.0, \"x\")"))
        << mutant.rule;
    EXPECT_NE(mutant.source, kernel) << mutant.rule;
  }
}

TEST(Mutants, OfACudaKernelLackItsOwnNeeds) {
  const std::string cuda = R"(
__global__ void sum(const float* x, float* y, int n) {
  __shared__ float parts[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) parts[threadIdx.x] = x[i];
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = parts[0];
}
)";
  EXPECT_THAT(changed_lines(cuda, "kernel_without_global"), ElementsAre(HasSubstr("static void")));
  EXPECT_THAT(changed_lines(cuda, "large_shared_memory"),
              ElementsAre("__shared__ float parts[65536 * 32];"));
  EXPECT_THAT(changed_lines(cuda, "missing_bound_check"),
              Contains("if (true) parts[threadIdx.x] = x[i];"));
  EXPECT_THAT(changed_lines(cuda, "missing_barrier"), ElementsAre(";"));
}

TEST(Mutants, OfOneRuleDifferAndRulesHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Rule& rule : all_rules()) EXPECT_TRUE(names.emplace(rule.name).second) << rule.name;
  std::set<std::string> sources;
  for (const Mutant& mutant : mutants_of(kernel)) {
    if (mutant.rule == "one_past") EXPECT_TRUE(sources.insert(mutant.source).second);
  }
  EXPECT_EQ(sources.size(), 2);
}

}  // namespace
}  // namespace robust_kbench::mutants
