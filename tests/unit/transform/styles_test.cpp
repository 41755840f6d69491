#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "transform/transforms.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::size_t early = 5;  // proposals that a run of a minute reaches for certain

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Kernels that were written without sight of the rules, and what gains most on each.
TEST(Styles, HaveTheirBestEditEarly) {
  const std::vector<std::pair<std::string, std::string>> best{
      {"layernorm/forward/accessors.cpp", "raw_pointers+simd"},
      {"unet_linear/backward/templates.cpp", "interchange+unroll_and_jam"},
      {"llama_ffw/forward/standard_algorithms.cpp", "math_options"},
      {"mnist_linear/forward/while_loops.cpp", "simd_reduction+unroll_and_jam"},
      {"mnist_cross_entropy/forward/nested_lambdas.cpp", "math_options"},
      {"mnist_linear_relu/forward/functions_in_loops.cpp", "simd_reduction"},
      {"mnist_conv_relu_pool/forward/structs.cpp", "simd_reduction"},
      {"unet_conv2d/forward/index_macros.cpp",
       "unit_step+interchange+simd_independent+unroll_and_jam"},
      {"mnist_pool/backward/accessors.cpp", "raw_pointers"},
      {"llama_rmsnorm/forward/advancing_pointers.cpp", "simd_reduction"}};
  for (const auto& [kernel, rule] : best) {
    const std::string source = read(STYLES + kernel);
    ASSERT_FALSE(source.empty()) << kernel;
    auto found = transforms_of(source, false, {});
    found.resize(std::min(found.size(), early));
    std::string rules;
    for (const Transform& transform : found) rules += transform.rule + " ";
    EXPECT_NE((" " + rules).find(" " + rule + " "), std::string::npos) << kernel << ": " << rules;
  }
}

}  // namespace
}  // namespace robust_kbench
