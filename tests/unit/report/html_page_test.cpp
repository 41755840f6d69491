#include "report/html_page.hpp"

#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "report/page_blocks.hpp"
#include "report/script_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* markup = "</script><img src=x onerror=alert(1)><!-- & \xe2\x80\xa8";

// Counts the places of a text in another one.
int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

nlohmann::json page_with(const std::string& text) {
  return {{"title", text},
          {"summary", nlohmann::json::array({text_block(text)})},
          {"sections", nlohmann::json::array()},
          {"texts", nlohmann::json::array({text})}};
}

TEST(ScriptJson, KeepsEveryTextInsideItsElement) {
  const std::string json = script_json({{"name", markup}});
  for (const char* unsafe : {"<", ">", "&", "\xe2\x80\xa8"}) {
    EXPECT_THAT(json, Not(HasSubstr(unsafe)));
  }
  EXPECT_EQ(nlohmann::json::parse(json).at("name"), markup);
}

TEST(ScriptJson, ReplacesBytesThatAreNoText) {
  EXPECT_EQ(nlohmann::json::parse(script_json("a\xff")), "a\xef\xbf\xbd");
}

TEST(HtmlPage, HasNoMarkupOfItsTexts) {
  const PagePaths paths{.sources = PAGE_SOURCES, .library = {}};
  const std::string harmless = html_page(page_with("x"), paths, {});
  const std::string page = html_page(page_with(markup), paths, {.script = "var echarts;"});
  for (const char* part : {"<script", "</script", "<img", "onerror=alert(1)>", "<!--"}) {
    EXPECT_EQ(count_of(page, part), count_of(harmless, part)) << part;
  }
}

TEST(HtmlPage, AllowsOnlyItsOwnScripts) {
  const std::string page = html_page(page_with("x"), {.sources = PAGE_SOURCES}, {});
  const std::string before = "script-src 'nonce-";
  const std::size_t at = page.find(before);
  ASSERT_NE(at, std::string::npos);
  const std::string nonce = page.substr(at + before.size(), 64);
  EXPECT_EQ(count_of(page, "<script nonce=\"" + nonce + "\">"), 2);
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(HtmlPage, SaysWhichOfItsFilesIsMissing) {
  EXPECT_THROW(html_page(page_with("x"), {.sources = "/nowhere"}, {}), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
