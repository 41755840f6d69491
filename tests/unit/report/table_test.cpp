#include "report/table.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Table, AlignsWordsLeftAndNumbersRight) {
  Table table({"kernel", "time"});
  table.add({"fused", "1.20 us"});
  table.add({"blocked_gemm", "-"});
  table.add({"x", "12.3 us"});
  EXPECT_EQ(table.console(),
            "kernel           time\n"
            "fused         1.20 us\n"
            "blocked_gemm        -\n"
            "x             12.3 us\n");
}

TEST(Table, PaintsCellsOfTheirFullWidth) {
  Table table({"verdict", "kernel"});
  table.add({"pass", "fused"});
  const auto paint = [](const std::string& header, const std::string& cell,
                        const std::string& shown) {
    return header == "verdict" && cell == "pass" ? "<" + shown + ">" : shown;
  };
  EXPECT_EQ(table.console(paint),
            "verdict  kernel\n"
            "<pass   >  fused\n");
}

TEST(Table, MarkdownKeepsEveryCellWhole) {
  Table table({"kernel", "time"});
  table.add({"a|b\nc", "1.20 us"});
  EXPECT_EQ(table.markdown(),
            "| kernel | time |\n"
            "|---|---:|\n"
            "| a\\|b c | 1.20 us |\n");
}

}  // namespace
}  // namespace robust_kbench
