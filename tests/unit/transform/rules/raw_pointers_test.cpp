#include "rule_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string accessor_function(const std::string& body) {
  return "torch::Tensor f(torch::Tensor x) {\n"
         "  auto y = torch::empty({x.size(0)}, x.options());\n"
         "  auto from = x.accessor<float, 2>();\n"
         "  auto to = y.accessor<float, 1>();\n" +
         body + "  return y;\n}\n";
}

TEST(RawPointers, TakeThePlaceOfAccessors) {
  const std::string edited = first_edit(
      "raw_pointers",
      accessor_function("  for (int i = 0; i < from.size(0); ++i) to[i] = from[i][i + 1];\n"));
  EXPECT_THAT(edited,
              HasSubstr("  const auto from_dense = x.contiguous(); const float* from_data = "
                        "from_dense.data_ptr<float>(); const int64_t from_size1 = "
                        "x.size(1);\n"
                        "  float* to_data = y.data_ptr<float>();\n"));
  EXPECT_THAT(edited, HasSubstr("for (int i = 0; i < x.size(0); ++i) to_data[(i)] = "
                                "from_data[(i) * from_size1 + i + 1];"));
}

TEST(RawPointers, LetOtherRulesSeeNeighbours) {
  const auto found =
      transforms_of(accessor_function("  for (int i = 0; i < y.size(0); ++i) {\n"
                                      "    float s = 0;\n"
                                      "    for (int j = 0; j < x.size(1); ++j) s += from[i][j];\n"
                                      "    to[i] = s;\n  }\n"),
                    false, {});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].rule, "raw_pointers+simd_reduction");
  EXPECT_THAT(found[0].source, HasSubstr("s += from_data[(i) * from_size1 + j];"));
}

TEST(RawPointers, LeaveAccessorsAloneThatAreUsedOtherwise) {
  const std::string tensors =
      "torch::Tensor f(torch::Tensor x) {\n"
      "  auto from = x.accessor<float, 2>();\n";
  for (const char* body : {"  auto row = from[0];\n", "  use(from);\n", "  from[0][1] = 2;\n",
                           "  float* p = &from[0][1];\n", "  return from[index[0]][1];\n"}) {
    EXPECT_THAT(offered("raw_pointers", tensors + body + "}\n"), IsEmpty()) << body;
  }
}

}  // namespace
}  // namespace robust_kbench
