#include "worker/recorded_subject.hpp"

#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "core/descriptor.hpp"
#include "recording/decode.hpp"
#include "runner/allocate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;

constexpr std::size_t recorded_input_bytes = 64;
constexpr std::size_t recorded_output_bytes = 128;

// Returns one output of 32 floats for each call.
class AllocatingSubject : public Subject {
 public:
  explicit AllocatingSubject(Arena& arena) : m_arena(arena) {}

  Loaded load(const Load&) override { return {}; }
  void prepare(const std::vector<Call>& calls) override { m_outputs.assign(calls.size(), 0); }
  void call(std::size_t index) override {
    if (fails) throw SubjectError(Failure::exception, "it throws");
    const auto* memory = static_cast<std::byte*>(arena_allocate(m_arena, recorded_output_bytes));
    m_outputs.at(index) = static_cast<std::uint64_t>(memory - m_arena.kernel_data());
  }
  std::vector<std::vector<ResultValue>> collect() override {
    std::vector<std::vector<ResultValue>> results;
    for (const std::uint64_t offset : m_outputs) {
      results.push_back({TensorRef{.offset = offset, .sizes = {32}, .strides = {1}}, None{}});
    }
    return results;
  }
  void release() override {}

  bool fails = false;

 private:
  Arena& m_arena;
  std::vector<std::uint64_t> m_outputs;
};

// Notes what it is told. The sections that it returns have one operation each.
class NotingRecorder : public RecorderControl {
 public:
  void know_arena(const std::vector<RecordedMemory>& mappings) override { arena = mappings; }
  void begin(std::uint32_t section) override {
    EXPECT_FALSE(is_on);
    is_on = true;
    sections.push_back(section);
  }
  RecordedSection end(const std::vector<RecordedMemory>& arguments,
                      const std::vector<RecordedMemory>& allocations) override {
    EXPECT_TRUE(is_on);
    is_on = false;
    last_arguments = arguments;
    last_allocations = allocations;
    RecordedSection section;
    for (const RecordedMemory& memory : arguments) section.argument_bytes.push_back(memory.bytes);
    for (const RecordedMemory& memory : allocations) {
      section.allocation_bytes.push_back(memory.bytes);
    }
    section.streams = {RecordedStream::legacy};
    const std::uint64_t bytes = alternates && sections.back() % 2 == 0 ? 8 : 4;
    section.operations = {{.stream = 0, .action = RecordedTake{.offset = 0, .bytes = bytes}}};
    return section;
  }
  Recording finish(std::array<RecordedSection, recorded_calls>&) override { return {}; }

  bool alternates = false;
  bool is_on = false;
  std::vector<RecordedMemory> arena;
  std::vector<std::uint32_t> sections;
  std::vector<RecordedMemory> last_arguments;
  std::vector<RecordedMemory> last_allocations;
};

class RecordedSubjectTest : public testing::Test {
 protected:
  RecordedSubjectTest() {
    ArenaHeader& header = arena.header();
    header.kernel_begin = header.cursor = header.poisoned_until = std::size_t{1} << 19;
    header.poison = poison_word(1);
  }

  void make_calls(std::size_t count) {
    std::vector<Call> calls;
    for (std::size_t i = 0; i < count; ++i) {
      calls.push_back(
          {.arguments = {{TensorRef{
               .offset = (std::size_t{1} << 18) + 4096 * i, .sizes = {16}, .strides = {1}}}}});
    }
    subject.prepare(calls);
    for (std::size_t i = 0; i < count; ++i) subject.call(i);
    subject.collect();
  }

  Recording recording() {
    std::string bytes(static_cast<std::size_t>(lseek(file.get(), 0, SEEK_END)), '\0');
    EXPECT_EQ(pread(file.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    return decode_recording(bytes);
  }

  Arena arena = Arena::create(std::size_t{1} << 21);
  Descriptor file{memfd_create("recording", 0)};
  AllocatingSubject inner{arena};
  NotingRecorder recorder;
  RecordedSubject subject{inner, arena, recorder, file.get()};
};

TEST_F(RecordedSubjectTest, RecordsTheLoadAndThreeCalls) {
  subject.load({});
  make_calls(5);
  EXPECT_THAT(recorder.sections, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(recorder.arena.size(), 2U);
  ASSERT_EQ(recorder.last_arguments.size(), 1U);
  EXPECT_EQ(recorder.last_arguments[0].bytes, recorded_input_bytes);
  EXPECT_EQ(recorder.last_arguments[0].address,
            CudaDriver::address_of(arena.data() + (std::size_t{1} << 18) + 8192));
  ASSERT_EQ(recorder.last_allocations.size(), 1U);
  EXPECT_EQ(recorder.last_allocations[0].bytes, recorded_output_bytes);
  const Recording written = recording();
  EXPECT_TRUE(written.is_replayable());
  ASSERT_EQ(written.steady.results.size(), 2U);
  EXPECT_EQ(written.steady.results[0].place,
            (RecordedPlace{RecordedPlace::Kind::allocation, 0, 0}));
  EXPECT_EQ(written.steady.results[0].bytes, recorded_output_bytes);
  EXPECT_EQ(written.steady.results[1].is_tensor, 0);
}

TEST_F(RecordedSubjectTest, RefusesCallsThatAreNotAlike) {
  recorder.alternates = true;
  subject.load({});
  make_calls(3);
  const Recording written = recording();
  ASSERT_EQ(written.obstacles.size(), 1U);
  EXPECT_EQ(
      text_of(written.obstacles[0]),
      "its calls are not alike: operation 0 (allocation) differs from that of call 2 (call 3)");
}

TEST_F(RecordedSubjectTest, PoisonsAllMemoryBeforeItRecords) {
  subject.load({});
  subject.prepare({});
  EXPECT_EQ(arena.header().poisoned_until, arena.size());
}

TEST_F(RecordedSubjectTest, EndsASectionThatThrows) {
  subject.load({});
  inner.fails = true;
  EXPECT_THROW(make_calls(1), SubjectError);
  EXPECT_FALSE(recorder.is_on);
  EXPECT_EQ(lseek(file.get(), 0, SEEK_END), 0);
}

}  // namespace
}  // namespace robust_kbench
