#include "recording/decode.hpp"

#include <string>

#include "recording/encode.hpp"
#include "sample_recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

std::string decode_error_of(std::string_view bytes) {
  try {
    (void)decode_recording(bytes);
  } catch (const RecordingError& error) {
    return error.what();
  }
  return "";
}

TEST(DecodeRecording, ReturnsWhatWasEncoded) {
  const Recording recording = sample_recording();
  EXPECT_EQ(decode_recording(encode_recording(recording)), recording);
  EXPECT_EQ(decode_recording(encode_recording({})), Recording{});
}

TEST(DecodeRecording, RefusesEveryPartOfARecording) {
  const std::string bytes = encode_recording(sample_recording());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_NE(decode_error_of(std::string_view(bytes).substr(0, length)), "") << length;
  }
  EXPECT_THAT(decode_error_of(bytes + "x"), HasSubstr("1 bytes follow the end"));
}

TEST(DecodeRecording, ReadsOrRefusesEachChangeOfAByte) {
  const std::string bytes = encode_recording(sample_recording());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const unsigned char value : {0x00, 0x01, 0x7f, 0xff}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(value);
      (void)decode_error_of(changed);
    }
  }
}

TEST(DecodeRecording, NamesPlaceValueAndLimitOfACount) {
  std::string bytes = encode_recording({});
  bytes[12] = '\x41';  // 65 images, behind the magic bytes and the version
  EXPECT_EQ(decode_error_of(bytes), "recording: byte 16: images is 65; the limit is 64");
}

TEST(DecodeRecording, NamesTheVersionThatItExpects) {
  std::string bytes = encode_recording({});
  bytes[8] = '\x03';
  EXPECT_THAT(decode_error_of(bytes), HasSubstr("version is 3, expected 2"));
  EXPECT_THAT(decode_error_of("PK and something else"), HasSubstr("does not begin"));
}

// Encodes a recording whose first call has one more operation, and returns what is wrong with it.
std::string error_with(const RecordedAction& action) {
  Recording recording = sample_recording();
  recording.first.operations = {{.stream = 0, .action = action}};
  return decode_error_of(encode_recording(recording));
}

TEST(DecodeRecording, RefusesIndicesOfNothing) {
  EXPECT_THAT(error_with(RecordedLaunch{.function = 1}),
              HasSubstr("first call, operation 0: function 1 of 1"));
  EXPECT_THAT(error_with(RecordedEventWait{.event = 1}), HasSubstr("event 1 of 1"));
  const RecordedPlace argument{RecordedPlace::Kind::argument, 1, 0};
  EXPECT_THAT(error_with(RecordedFill{.to = argument}), HasSubstr("argument 1 of 1"));
  const RecordedPlace allocation{RecordedPlace::Kind::allocation, 3, 0};
  EXPECT_THAT(error_with(RecordedCopy{.to = {RecordedPlace::Kind::scratch}, .from = allocation}),
              HasSubstr("allocation 3 of 1"));
  const RecordedPlace variable{RecordedPlace::Kind::variable, 1, 0};
  EXPECT_THAT(error_with(RecordedUpload{.to = variable}), HasSubstr("variable 1 of 1"));
}

TEST(DecodeRecording, RefusesRelocationsOutsideOfTheirBytes) {
  const RecordedPlace scratch{RecordedPlace::Kind::scratch, 0, 0};
  const auto with = [&](std::size_t bytes, std::vector<RecordedRelocation> relocations) {
    RecordedLaunch launch;
    launch.parameters = {.bytes = std::vector<std::uint8_t>(bytes),
                         .relocations = std::move(relocations)};
    return error_with(launch);
  };
  EXPECT_EQ(with(8, {{.at = 0, .place = scratch}}), "");
  EXPECT_THAT(with(15, {{.at = 8, .place = scratch}}), HasSubstr("relocation at byte 8 of 15"));
  EXPECT_THAT(with(16, {{.at = 4, .place = scratch}}), HasSubstr("relocation at byte 4"));
  EXPECT_THAT(with(16, {{.at = 8, .place = scratch}, {.at = 0, .place = scratch}}),
              HasSubstr("relocation at byte 0"));
}

TEST(DecodeRecording, RefusesANodeThatWaitsForItselfOrALaterOne) {
  RecordedGraphLaunch graph{.nodes = {{.after = {{.node = 0}}}}};
  EXPECT_THAT(error_with(graph), HasSubstr("dependency 0 of 0"));
  graph.nodes = {{.after = {}}, {.after = {{.node = 0}}}};
  EXPECT_EQ(error_with(graph), "");
}

TEST(DecodeRecording, RefusesElementsOfThreeBytes) {
  EXPECT_THAT(error_with(RecordedFill{.to = {RecordedPlace::Kind::scratch}, .element_bytes = 3}),
              HasSubstr("elements of 3 bytes, expected 1, 2 or 4"));
}

TEST(EncodeRecording, RefusesWhatDecodingWouldRefuse) {
  Recording recording;
  recording.images.resize(65);
  EXPECT_THROW(encode_recording(recording), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
