#include "llm/base_url.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class SafeBaseUrl : public testing::TestWithParam<const char*> {};
class UnsafeBaseUrl : public testing::TestWithParam<const char*> {};

TEST_P(SafeBaseUrl, IsTaken) {
  EXPECT_NO_THROW(require_safe_base_url(GetParam(), "provider 'x'"));
}

INSTANTIATE_TEST_SUITE_P(All, SafeBaseUrl,
                         testing::Values("https://api.example.com/v1",
                                         "https://api.example.com:8443", "http://localhost:8000/v1",
                                         "http://127.0.0.1:1", "http://127.8.9.1/v1",
                                         "http://[::1]:8000/v1",
                                         "https://me.openai.azure.com/openai/deployments/gpt"
                                         "?api-version=2024-10-21",
                                         "https://example.com?api-version=1&region=eu"));

TEST_P(UnsafeBaseUrl, IsRefused) {
  try {
    require_safe_base_url(GetParam(), "provider 'x'");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("provider 'x': '" + std::string(GetParam())));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, UnsafeBaseUrl,
    testing::Values("", "api.example.com", "ftp://api.example.com", "https://", "https:///v1",
                    "http://api.example.com", "http://localhost.example.com/v1",
                    "http://127.0.0.1.example.com", "http://[::2]/v1", "http://0.0.0.0:8000",
                    "https://user:secret@api.example.com", "http://localhost@example.com",
                    "http://example.com\\@localhost/", "https://api.example.com/v1?key=1",
                    "https://api.example.com/v1?a=b&API-Key=1", "https://example.com?a&token",
                    "http://example.com?a=http://localhost/", "https://api.example.com/v1#a",
                    "https://api.example.com/v1\n"));

}  // namespace
}  // namespace robust_kbench
