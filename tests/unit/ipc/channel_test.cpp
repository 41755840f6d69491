#include "ipc/channel.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

FrameReader reader_of(const std::string& bytes) {
  FrameReader reader(1000);
  reader.append(bytes);
  return reader;
}

std::string frame_of(const std::string& text) {
  std::string bytes(4, '\0');
  bytes[0] = static_cast<char>(text.size());
  return bytes + text;
}

TEST(FrameReader, TakesMessagesThatArriveByteByByte) {
  const std::string bytes = frame({{"a", 1}}) + frame({{"b", 2}});
  FrameReader reader(1000);
  std::vector<json> messages;
  for (const char byte : bytes) {
    reader.append({&byte, 1});
    if (reader.complete()) messages.push_back(reader.take());
  }
  EXPECT_EQ(messages, (std::vector<json>{{{"a", 1}}, {{"b", 2}}}));
  EXPECT_TRUE(reader.empty());
}

TEST(FrameReader, RefusesAMessageLongerThanItsLimitBeforeItArrives) {
  const FrameReader reader = reader_of(frame(std::string(2000, 'x')).substr(0, 4));
  EXPECT_THROW((void)reader.complete(), HarnessError);
}

TEST(FrameReader, RefusesTextThatIsNotJson) {
  for (const char* text : {"", "{", "nul", "[1,]", "\xff", "{} {}"}) {
    FrameReader reader = reader_of(frame_of(text));
    ASSERT_TRUE(reader.complete());
    EXPECT_THROW(reader.take(), HarnessError) << text;
  }
}

TEST(FrameReader, RefusesDeepNesting) {
  EXPECT_NO_THROW(reader_of(frame_of(std::string(10, '[') + std::string(10, ']'))).take());
  EXPECT_THROW(reader_of(frame_of(std::string(60, '[') + std::string(60, ']'))).take(),
               HarnessError);
}

TEST(Frame, ReplacesBytesThatAreNotUtf8) {
  FrameReader reader = reader_of(frame({{"message", "bad \xff"}}));
  EXPECT_EQ(reader.take()["message"], "bad \xef\xbf\xbd");
}

}  // namespace
}  // namespace robust_kbench
