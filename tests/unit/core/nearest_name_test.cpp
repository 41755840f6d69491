#include "core/nearest_name.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

const std::vector<std::string_view> tasks{"layernorm", "llama_ffw", "llama_rmsnorm",
                                          "mnist_linear"};

TEST(NearestName, PrefersANameThatContainsTheGivenOne) {
  EXPECT_EQ(nearest_name("rmsnorm", tasks), "llama_rmsnorm");
  EXPECT_EQ(nearest_name("layernorm_forward", tasks), "layernorm");
}

TEST(NearestName, OtherwiseTakesTheFewestEdits) {
  EXPECT_EQ(nearest_name("mnist_liner", tasks), "mnist_linear");
}

TEST(NearestName, IsOfferedOnlyIfSimilar) {
  EXPECT_EQ(did_you_mean("rmsnorm", tasks), "; did you mean 'llama_rmsnorm'?");
  EXPECT_EQ(did_you_mean("layer_norm", tasks), "; did you mean 'layernorm'?");
  EXPECT_EQ(did_you_mean("attention", tasks), ";");
  EXPECT_EQ(did_you_mean("rmsnorm", {}), ";");
}

}  // namespace
}  // namespace robust_kbench
