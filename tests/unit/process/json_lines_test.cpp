#include "process/json_lines.hpp"

#include <sys/socket.h>
#include <thread>
#include <vector>

#include "process/socket_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The stream's results for these bytes: the text of an object, or the message for a bad line.
std::vector<std::string> read_all(JsonLines& lines, std::string_view bytes) {
  std::vector<std::string> got;
  lines.append(bytes);
  while (true) {
    try {
      const std::optional<json> object = lines.next();
      if (!object) return got;
      got.push_back(object->dump());
    } catch (const BadLine& line) {
      got.emplace_back(line.what());
    }
  }
}

TEST(JsonLines, GivesEachObjectOnceItsLineIsWhole) {
  JsonLines lines(100);
  EXPECT_THAT(read_all(lines, "{\"a\":"), IsEmpty());
  EXPECT_THAT(read_all(lines, "1}\n\n{\"b\":2}\n{\"c\""), ElementsAre("{\"a\":1}", "{\"b\":2}"));
  EXPECT_THAT(read_all(lines, ":3}"), IsEmpty());
  EXPECT_THAT(read_all(lines, "\n"), ElementsAre("{\"c\":3}"));
}

TEST(JsonLines, TheLastLineMayLackItsNewline) {
  JsonLines lines(100);
  lines.append("{}");
  lines.end();
  EXPECT_EQ(lines.next(), json::object());
}

TEST(JsonLines, TheStreamGoesOnAfterABadLine) {
  JsonLines lines(100);
  EXPECT_THAT(
      read_all(lines, "Traceback:\n[1]\n{}\n"),
      ElementsAre(HasSubstr("no JSON object: \"Traceback:\" ("), "no JSON object: \"[1]\"", "{}"));
}

TEST(JsonLines, ALineThatIsTooLongIsReportedOnceAndItsRestSkipped) {
  JsonLines lines(10);
  const char* const told = "a line of more than 10 bytes";
  EXPECT_THAT(read_all(lines, "{\"a\":\"01234"), ElementsAre(told));
  EXPECT_THAT(read_all(lines, "5678"), IsEmpty());
  EXPECT_THAT(read_all(lines, "\"}\n{}\n"), ElementsAre("{}"));
  EXPECT_THAT(read_all(lines, "{\"a\":\"whole\"}\n{}\n"), ElementsAre(told, "{}"));
}

TEST(JsonLines, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(json_line({{"text", "a\xff"}}), "{\"text\":\"a\xef\xbf\xbd\"}\n");
}

TEST(JsonLines, ASocketTakesLinesThatAreLongerThanItsBuffer) {
  SocketPair sockets = make_socket_pair();
  const json sent{{"text", std::string(std::size_t{4} << 20, 'x')}};
  const std::jthread sending([&] { EXPECT_TRUE(send_json_line(sockets.ours.get(), sent)); });
  JsonLines lines(std::size_t{8} << 20);
  std::optional<json> received;
  while (!received && lines.read_some(sockets.theirs.get()) > 0) received = lines.next();
  EXPECT_EQ(received, sent);
}

TEST(JsonLines, SendingFailsWhereTheOtherEndIsClosed) {
  SocketPair sockets = make_socket_pair();
  sockets.theirs.reset();
  EXPECT_FALSE(send_json_line(sockets.ours.get(), json::object()));
}

}  // namespace
}  // namespace robust_kbench
