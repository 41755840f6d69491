#include "replayer/replay_subject.hpp"

#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "recording/encode.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The driver that everything of this process gets by its name from then on.
void* fake_driver() {
  static void* const library = dlopen(FAKE_DRIVER, RTLD_NOW | RTLD_GLOBAL);
  return library;
}

std::string driver_log() {
  return reinterpret_cast<const char* (*)()>(dlsym(fake_driver(), "fake_driver_log"))();
}

// A container with one entry of machine code.
std::vector<std::uint8_t> machine_code() {
  std::vector<std::uint8_t> bytes{0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0, 24, 0, 0, 0, 0, 0,
                                  0,    0,    2,    0,    1, 1, 16, 0, 0,  0, 8, 0, 0, 0,
                                  0,    0,    0,    0,    1, 2, 3,  4, 5,  6, 7, 8};
  return bytes;
}

RecordedSection call_of(std::uint32_t blocks) {
  const RecordedPlace input{RecordedPlace::Kind::argument, 0, 4};
  const RecordedPlace output{RecordedPlace::Kind::allocation, 0, 0};
  const RecordedPlace scratch{RecordedPlace::Kind::scratch, 0, 512};
  const RecordedPlace variable{RecordedPlace::Kind::variable, 0, 8};
  const RecordedLaunch launch{
      .function = 0,
      .grid = {blocks, 1, 1},
      .block = {256, 1, 1},
      .shared_bytes = 64,
      .attributes = {{.id = 2, .value = {1, 0, 0, 0}}},
      .parameters = {.bytes = std::vector<std::uint8_t>(20),
                     .relocations = {{.at = 0, .place = input}, {.at = 8, .place = output}}}};
  return {.argument_bytes = {64},
          .allocation_bytes = {64},
          .streams = {RecordedStream::legacy, RecordedStream::non_blocking},
          .events = 0,
          .operations =
              {{.stream = 0, .action = RecordedTake{.offset = 512, .bytes = 64}},
               {.stream = 0, .action = RecordedFill{.to = scratch, .value = 3, .elements = 64}},
               {.stream = 0, .action = launch},
               {.stream = 1, .action = RecordedCopy{.to = variable, .from = scratch, .bytes = 8}},
               {.stream = 0,
                .action = RecordedUpload{.to = scratch, .content = {.bytes = {1, 2, 3, 4}}}}},
          .results = {{.is_tensor = 1,
                       .place = output,
                       .sizes = {16},
                       .strides = {1},
                       .dtype = 6,
                       .bytes = 64}}};
}

Recording two_calls() {
  return {.images = {machine_code()},
          .functions = {{.image = 0, .name = "scale"}},
          .variables = {{.image = 0, .name = "table", .bytes = 256}},
          .scratch_bytes = 4096,
          .load = {.streams = {RecordedStream::legacy},
                   .operations = {{.stream = 0,
                                   .action =
                                       RecordedFunctionAttribute{.attribute = 8, .value = 1024}}}},
          .first = call_of(1),
          .steady = call_of(2)};
}

// A subject of a recording, with an arena of the fake GPU.
class Replay : public testing::Test {
 protected:
  Replay() {
    fake_driver();
    reinterpret_cast<void (*)()>(dlsym(fake_driver(), "fake_driver_forget"))();
  }

  void write(const std::string& bytes) {
    ASSERT_EQ(pwrite(file.get(), bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
  }

  Call call_at(std::uint64_t offset) {
    return {.arguments = {{TensorRef{.offset = offset, .sizes = {16}, .strides = {1}}}}};
  }

  Descriptor file{memfd_create("recording", 0)};
};

TEST_F(Replay, RefusesBytesThatAreNoRecording) {
  Arena arena = Arena::create(1 << 20);
  ReplaySubject subject(arena, file.get());
  EXPECT_THROW(subject.load({}), HarnessError);
}

TEST_F(Replay, RefusesARecordingWithAnObstacle) {
  Recording recording = two_calls();
  recording.obstacles = {{ReplayObstacle::Kind::unknown_call, 1, "cuTexObjectCreate"}};
  write(encode_recording(recording));
  Arena arena = Arena::create(1 << 20);
  ReplaySubject subject(arena, file.get());
  try {
    subject.load({});
    FAIL();
  } catch (const SubjectError& error) {
    EXPECT_STREQ(error.what(), "calls cuTexObjectCreate, which cannot be replayed (call 1)");
  }
}

TEST_F(Replay, RefusesCodeThatIsPtx) {
  Recording recording = two_calls();
  recording.images[0][16] = 1;
  write(encode_recording(recording));
  Arena arena = Arena::create(1 << 20);
  ReplaySubject subject(arena, file.get());
  EXPECT_THROW(subject.load({}), HarnessError);
}

TEST_F(Replay, RefusesACallWithOtherTensors) {
  write(encode_recording(two_calls()));
  Arena arena = Arena::create(1 << 20);
  ReplaySubject subject(arena, file.get());
  subject.load({});
  EXPECT_THROW(subject.prepare({Call{}}), SubjectError);
}

// Addresses within the arena as offsets, since the arena of a test is memory of the host.
std::string with_offsets(const std::string& log, const Arena& arena) {
  const auto base = reinterpret_cast<std::uint64_t>(arena.data());
  std::string text;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t next = std::min(log.find("0x", at), log.size());
    text += log.substr(at, next - at);
    if (next == log.size()) break;
    char* end = nullptr;
    const std::uint64_t address = std::strtoull(log.c_str() + next, &end, 16);
    at = static_cast<std::size_t>(end - log.c_str());
    const bool in_arena = address >= base && address - base < arena.size();
    text += in_arena ? "arena+" + std::to_string(address - base) : log.substr(next, at - next);
  }
  return text;
}

// The log of the driver's calls is the file tests/golden/replay_log.txt.
TEST_F(Replay, DoesTheRecordedWorkAtNewAddresses) {
  write(encode_recording(two_calls()));
  Arena arena = Arena::create(1 << 20);
  arena.header().kernel_begin = arena.header().cursor = 1 << 19;
  arena.header().poisoned_until = 1 << 20;
  ReplaySubject subject(arena, file.get());
  subject.load({});
  subject.prepare({call_at(8192), call_at(16384)});
  subject.call(0);
  subject.call(1);
  const auto results = subject.collect();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(std::get<TensorRef>(results[0].at(0)).offset, 1U << 19);
  EXPECT_GT(std::get<TensorRef>(results[1].at(0)).offset, 1U << 19);
  const std::string log = with_offsets(driver_log(), arena);
  std::ifstream golden(GOLDEN "/replay_log.txt");
  const std::string expected{std::istreambuf_iterator<char>(golden), {}};
  EXPECT_EQ(log, expected) << log;
}

}  // namespace
}  // namespace robust_kbench
