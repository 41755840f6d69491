#include "agent/archive/costs_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

CallRow ended(const std::string& model, const std::string& status, const std::string& message) {
  CallRow row;
  row.identity.model = model;
  row.status = status;
  row.message = message;
  return row;
}

TEST(CostsText, NamesModelsThatNeverAnswered) {
  EXPECT_THAT(costs_text({ended("a/answers", "server_error", "lost"), ended("a/answers", "ok", ""),
                          ended("b/fails", "connection", "nobody is there"),
                          ended("b/fails", "unauthorized", "host answered 401:\nwrong key"),
                          ended("b/fails", "circuit_open", "it failed again and again"),
                          ended("b/fails", "not_granted", "the cap is reached"),
                          ended("c/unasked", "not_granted", "the cap is reached")}),
              testing::EndsWith(
                  "tokens\nb/fails never answered; its last error: unauthorized: host answered "
                  "401:\\x0awrong key\n"));
  EXPECT_EQ(costs_text({}), "");
}

}  // namespace
}  // namespace robust_kbench
