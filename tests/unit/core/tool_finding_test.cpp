#include "core/tool_finding.hpp"

#include <limits>

#include "core/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

ToolFinding some_finding() {
  return {.tool = "memcheck",
          .what = "invalid_global_write",
          .value = 2,
          .unit = "errors",
          .severity = Severity::error,
          .meaning = "writes past the end",
          .where = {.kernel = "k(float *)",
                    .file = "k.cu",
                    .line = 3,
                    .address = "0x10",
                    .thread = "(1,0,0)",
                    .block = "(2,0,0)"}};
}

TEST(ToolFinding, ReadsBackFromJsonAsItWas) {
  const ToolFinding finding = some_finding();
  EXPECT_EQ(nlohmann::json(finding).get<ToolFinding>(), finding);
  EXPECT_EQ(nlohmann::json(ToolFinding{}).get<ToolFinding>(), ToolFinding{});
}

TEST(ToolFinding, WritesNonFiniteNumbersAsNull) {
  ToolFinding finding = some_finding();
  finding.value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(nlohmann::json(finding).at("value").is_null());
}

TEST(ToolFinding, RefusesASeverityThatItNeverWrites) {
  nlohmann::json json = some_finding();
  json["severity"] = "fatal";
  EXPECT_THROW((void)json.get<ToolFinding>(), UserError);
}

}  // namespace
}  // namespace robust_kbench
