#include "report/progress_bar.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(ProgressBar, IsAsFullAsItsShare) {
  EXPECT_EQ(progress_bar(0, 18, false), "[>         ]   0 %");
  EXPECT_EQ(progress_bar(0.42, 18, false), "[====>     ]  42 %");
  EXPECT_EQ(progress_bar(0.999, 18, false), "[=========>]  99 %");
  EXPECT_EQ(progress_bar(1, 18, false), "[==========] 100 %");
}

TEST(ProgressBar, StaysInItsColumns) {
  for (std::size_t columns = 0; columns < 200; ++columns) {
    for (const double share : {-1.0, 0.0, 0.5, 1.0, 7.0, std::nan("")}) {
      EXPECT_LE(progress_bar(share, columns, false).size(), columns);
    }
  }
  EXPECT_EQ(progress_bar(0.5, 12, false), "");
}

TEST(ProgressBar, IsGreenWhereThereAreColours) {
  EXPECT_EQ(progress_bar(0.2, 18, true), "[\033[32m==\033[0m>       ]  20 %");
}

}  // namespace
}  // namespace robust_kbench
