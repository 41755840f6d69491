#include <array>
#include <cstring>
#include <vector>

#include "recorded_program.hpp"
#include "recording/address_space.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::uint64_t input_at = inputs_address + 4096;
constexpr std::uint64_t output_at = kernel_address + 8192;

void* stream_handle(std::uintptr_t number) {
  return reinterpret_cast<void*>(0x1000 + 16 * number);
}

class Recorder : public testing::Test {
 protected:
  Recorder() {
    program.control().know_arena(
        {{inputs_address, std::uint64_t{1} << 30}, {kernel_address, std::uint64_t{1} << 30}});
  }

  // Records what `work` does as call 1, with an argument of 64 bytes and an allocation of 128.
  template <typename Work>
  RecordedSection record(const Work& work, std::uint32_t number = 1) {
    program.control().begin(number);
    work();
    return program.control().end({{input_at, 64}}, {{output_at, 128}});
  }

  // Records a launch as call `number`.
  RecordedSection record_launch(const char* kernel, std::vector<void*> parameters,
                                std::uint32_t number) {
    return record(
        [&] {
          program.call("cuLaunchKernel", program.kernel(kernel), 4U, 1U, 1U, 256U, 1U, 1U, 0U,
                       static_cast<void*>(nullptr), parameters.data(),
                       static_cast<void**>(nullptr));
        },
        number);
  }

  // Why what `work` does cannot be replayed.
  template <typename Work>
  std::vector<std::string> obstacles(const Work& work) {
    const std::uint32_t number = next_number();  // one of its own, since obstacles stay
    record(work, number);
    std::vector<std::string> reasons;
    for (const ReplayObstacle& obstacle : finish().obstacles) {
      if (obstacle.section == number) reasons.push_back(text_of(obstacle));
    }
    return reasons;
  }

  Recording finish() {
    std::array<RecordedSection, recorded_calls> calls;
    return program.control().finish(calls);
  }

  static std::uint32_t next_number() {
    static std::uint32_t last = 100;
    return ++last;
  }

  RecordedProgram& program = RecordedProgram::instance();
};

template <typename Action>
const Action& action_of(const RecordedSection& section, std::size_t index) {
  return std::get<Action>(section.operations.at(index).action);
}

TEST_F(Recorder, WritesAddressesOfALaunchAsPlaces) {
  void* kernel = program.kernel("scale");
  const RecordedSection call = record([&] { program.launch(kernel, input_at + 8, output_at); });
  ASSERT_EQ(call.operations.size(), 1U);
  const auto& launch = action_of<RecordedLaunch>(call, 0);
  EXPECT_EQ(launch.grid, (RecordedDimensions{4, 1, 1}));
  EXPECT_EQ(launch.block, (RecordedDimensions{256, 1, 1}));
  ASSERT_EQ(launch.parameters.relocations.size(), 2U);
  EXPECT_EQ(launch.parameters.relocations[0],
            (RecordedRelocation{0, {RecordedPlace::Kind::argument, 0, 8}}));
  EXPECT_EQ(launch.parameters.relocations[1],
            (RecordedRelocation{8, {RecordedPlace::Kind::allocation, 0, 0}}));
  EXPECT_EQ(launch.parameters.bytes.size(), 20U);
  EXPECT_EQ(launch.parameters.bytes[16], 5);
  EXPECT_EQ(call.streams, std::vector{RecordedStream::legacy});
  const Recording recording = finish();
  EXPECT_EQ(recording.functions.at(launch.function).name, "scale");
  EXPECT_EQ(recording.images.size(), 1U);
}

TEST_F(Recorder, RecordsNothingOutsideOfSections) {
  program.launch(program.kernel("scale"), input_at, output_at);
  EXPECT_TRUE(record([] {}).operations.empty());
}

TEST_F(Recorder, IsEqualForCallsWithTensorsAtOtherAddresses) {
  void* kernel = program.kernel("scale");
  const RecordedSection one = record([&] { program.launch(kernel, input_at, output_at); });
  program.control().begin(2);
  program.launch(kernel, input_at + 65536, output_at + 65536);
  const RecordedSection two =
      program.control().end({{input_at + 65536, 64}}, {{output_at + 65536, 128}});
  EXPECT_EQ(first_difference(one, two), "");
}

TEST_F(Recorder, ServesMemoryFromScratchAtTheSameAddressesInEachCall) {
  const auto work = [&] {
    std::uint64_t memory = 0;
    program.call("cuMemAlloc", &memory, std::size_t{1000});
    EXPECT_GE(memory, scratch_address);
    program.launch(program.kernel("scale"), input_at, memory + 16);
    program.call("cuMemFree", memory);
  };
  const RecordedSection one = record(work);
  const RecordedSection two = record(work);
  EXPECT_EQ(first_difference(one, two), "");
  EXPECT_EQ(one.operations.size(), 3U);
  EXPECT_EQ(action_of<RecordedLaunch>(one, 1).parameters.relocations.at(1).place.kind,
            RecordedPlace::Kind::scratch);
  EXPECT_GE(finish().scratch_bytes, 1000U);
}

TEST_F(Recorder, GivesNoMemoryTwiceWithinACall) {
  record([&] {
    std::uint64_t one = 0;
    std::uint64_t two = 0;
    program.call("cuMemAlloc", &one, std::size_t{512});
    program.call("cuMemFree", one);
    program.call("cuMemAlloc", &two, std::size_t{512});
    EXPECT_NE(one, two);
    program.call("cuMemFree", two);
  });
}

TEST_F(Recorder, KeepsWhatIsUploadedWithItsAddresses) {
  std::array<std::uint64_t, 2> table{input_at, 7};
  const RecordedSection call = record([&] {
    program.call("cuMemcpyHtoDAsync", output_at, static_cast<const void*>(table.data()),
                 sizeof table, static_cast<void*>(nullptr));
    table[1] = 9;
  });
  const auto& upload = action_of<RecordedUpload>(call, 0);
  EXPECT_EQ(upload.to, (RecordedPlace{RecordedPlace::Kind::allocation, 0, 0}));
  EXPECT_EQ(upload.content.bytes.at(8), 7);
  EXPECT_EQ(upload.content.relocations.size(), 1U);
}

TEST_F(Recorder, TellsVariablesByName) {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  const RecordedSection call = record([&] {
    program.call("cuLibraryGetGlobal", &address, &bytes, program.code(), "table");
    program.call("cuMemsetD32Async", address + 16, 3U, std::size_t{4}, static_cast<void*>(nullptr));
  });
  const auto& fill = action_of<RecordedFill>(call, 0);
  EXPECT_EQ(fill.to.kind, RecordedPlace::Kind::variable);
  EXPECT_EQ(fill.to.offset, 16U);
  EXPECT_EQ(finish().variables.at(fill.to.index).name, "table");
}

TEST_F(Recorder, NumbersStreamsAndEventsAsTheyAppear) {
  void* kernel = program.kernel("scale");
  const RecordedSection call = record([&] {
    program.launch(kernel, input_at, output_at, stream_handle(9));
    program.call("cuEventRecord", stream_handle(20), stream_handle(9));
    program.call("cuStreamWaitEvent", stream_handle(7), stream_handle(20), 0U);
    program.launch(kernel, input_at, output_at, stream_handle(7));
    program.call("cuStreamWaitEvent", stream_handle(7), stream_handle(21), 0U);  // of before
  });
  EXPECT_EQ(call.streams, (std::vector{RecordedStream::blocking, RecordedStream::non_blocking}));
  EXPECT_EQ(call.events, 1U);
  ASSERT_EQ(call.operations.size(), 4U);
  EXPECT_EQ(call.operations[2].stream, 1U);
  EXPECT_EQ(action_of<RecordedEventWait>(call, 2).event, 0U);
}

TEST_F(Recorder, TellsTheThreadsDefaultStreamFromTheLegacyOne) {
  void* kernel = program.kernel("scale");
  std::uint64_t first = input_at;
  std::uint64_t second = output_at;
  std::uint32_t number = 1;
  void* parameters[] = {&first, &second, &number};
  const RecordedSection call = record([&] {
    program.call_per_thread("cuLaunchKernel", kernel, 4U, 1U, 1U, 256U, 1U, 1U, 0U,
                            static_cast<void*>(nullptr), static_cast<void**>(parameters),
                            static_cast<void**>(nullptr));
  });
  EXPECT_EQ(call.streams, std::vector{RecordedStream::blocking});
}

TEST_F(Recorder, KeepsOnlyTheMeaningOfAttributes) {
  std::array<driver_types::LaunchAttribute, 2> attributes{};
  attributes[0].id = driver_types::cooperative;
  attributes[0].value.fill(0xcd);
  attributes[1].id = driver_types::synchronization_policy;
  const driver_types::LaunchConfig config{{4, 1, 1}, {256, 1, 1}, 0, nullptr, attributes.data(), 2};
  std::uint64_t first = input_at;
  std::uint64_t second = output_at;
  std::uint32_t number = 1;
  void* parameters[] = {&first, &second, &number};
  const RecordedSection call = record([&] {
    program.call("cuLaunchKernelEx", &config, program.kernel("scale"),
                 static_cast<void**>(parameters), static_cast<void**>(nullptr));
  });
  const auto& launch = action_of<RecordedLaunch>(call, 0);
  ASSERT_EQ(launch.attributes.size(), 1U);
  EXPECT_EQ(launch.attributes[0].value, std::vector<std::uint8_t>(4, 0xcd));
}

TEST_F(Recorder, MakesScratchOfATensorThatTheKernelKeeps) {
  void* kernel = program.kernel("scale");
  const std::uint64_t kept = output_at + 65536;
  std::array<RecordedSection, recorded_calls> calls;
  program.control().begin(1);
  program.launch(kernel, input_at, kept);
  calls[0] = program.control().end({{input_at, 64}}, {{output_at, 128}, {kept, 128}});
  const auto later = [&] { program.launch(kernel, kept + 8, output_at); };
  calls[1] = record(later, 2);
  calls[2] = record(later, 3);
  program.control().finish(calls);
  const RecordedPlace& written =
      action_of<RecordedLaunch>(calls[0], 0).parameters.relocations.at(1).place;
  const RecordedPlace& read =
      action_of<RecordedLaunch>(calls[2], 0).parameters.relocations.at(0).place;
  EXPECT_EQ(written.kind, RecordedPlace::Kind::scratch);
  EXPECT_EQ(read, (RecordedPlace{RecordedPlace::Kind::scratch, 0, written.offset + 8}));
}

TEST_F(Recorder, RefusesAResultThatTheKernelKeeps) {
  void* kernel = program.kernel("scale");
  std::array<RecordedSection, recorded_calls> calls;
  program.control().begin(1);
  program.launch(kernel, input_at, output_at);
  calls[0] = program.control().end({{input_at, 64}}, {{output_at, 128}});
  calls[0].results = {{.is_tensor = 1, .place = {RecordedPlace::Kind::allocation, 0, 0}}};
  program.control().begin(2);
  program.launch(kernel, input_at, output_at);
  program.control().end({{input_at, 64}}, {});
  const Recording recording = program.control().finish(calls);
  EXPECT_THAT(text_of(recording.obstacles.back()), testing::HasSubstr("a result that it keeps"));
  record([] {}, 1);  // which keeps nothing
}

// A structure of parameters. No code reads its last 4 bytes. By its other bytes and those of the
// input's address the last word looks like that address.
struct Layer {
  std::uint64_t input = input_at;
  std::uint64_t output = output_at;
  std::uint32_t number = static_cast<std::uint32_t>(input_at);
  std::uint32_t unused = 0;
};
constexpr auto like_an_address = static_cast<std::uint32_t>(input_at >> 32);

TEST_F(Recorder, ClearsBytesOfStructuresThatNoCodeReads) {
  std::array<RecordedSection, recorded_calls> calls;
  const std::array<std::uint32_t, recorded_calls> unused{0x7f12, like_an_address, 0x5555};
  for (std::uint32_t i = 0; i < calls.size(); ++i) {
    Layer layer{.unused = unused.at(i)};
    calls.at(i) = record_launch("scale_layer", {&layer}, i + 1);
  }
  EXPECT_EQ(program.control().finish(calls).cleared_bytes, 2U);
  EXPECT_EQ(first_difference(calls[1], calls[2]), "");
  for (const RecordedSection& section : calls) {
    const RecordedBytes& parameters = action_of<RecordedLaunch>(section, 0).parameters;
    EXPECT_EQ(parameters.relocations.size(), 2U);
    std::uint32_t number = 0;
    std::memcpy(&number, parameters.bytes.data() + 16, sizeof number);
    EXPECT_EQ(number, Layer{}.number);
  }
}

TEST_F(Recorder, TakesNoAddressFromUnusedBytesOfTheFirstCallAlone) {
  std::array<RecordedSection, recorded_calls> calls;
  for (std::uint32_t i = 0; i < calls.size(); ++i) {
    Layer layer{.unused = i == 0 ? like_an_address : 7};
    calls.at(i) = record_launch("scale_layer", {&layer}, i + 1);
  }
  EXPECT_EQ(program.control().finish(calls).cleared_bytes, 0U);
  EXPECT_EQ(first_difference(calls[0], calls[2]), "");
}

TEST_F(Recorder, KeepsNumbersInWhichCallsDiffer) {
  std::array<RecordedSection, recorded_calls> calls;
  for (std::uint32_t i = 0; i < calls.size(); ++i) {
    std::uint64_t input = input_at;
    std::uint64_t output = output_at;
    calls.at(i) = record_launch("scale", {&input, &output, &i}, i + 1);
  }
  EXPECT_EQ(program.control().finish(calls).cleared_bytes, 0U);
  EXPECT_NE(first_difference(calls[1], calls[2]), "");
}

TEST_F(Recorder, ReadsAGraphAgainThatWasUpdated) {
  void* graph = nullptr;
  program.call("cuGraphCreate", &graph, 0U);
  void* executable = nullptr;
  const RecordedSection call = record([&] {
    program.call("cuGraphInstantiateWithFlags", &executable, graph, 0ULL);
    void* node = nullptr;
    driver_types::FillNode fill{output_at, 0, 1, 4, 8, 1};
    program.call_export("cuGraphAddMemsetNode", &node, graph, static_cast<void**>(nullptr),
                        std::size_t{0}, &fill, static_cast<void*>(nullptr));
    program.call("cuGraphExecUpdate", executable, graph, static_cast<void*>(nullptr));
    program.call("cuGraphLaunch", executable, static_cast<void*>(nullptr));
  });
  EXPECT_EQ(action_of<RecordedGraphLaunch>(call, 0).nodes.size(), 1U);
}

TEST_F(Recorder, LeavesOutWhatIsCaptured) {
  void* stream = stream_handle(9);
  const RecordedSection call = record([&] {
    program.call("cuStreamBeginCapture", stream, 0);
    program.launch(program.kernel("scale"), input_at, output_at, stream);
    void* graph = nullptr;
    program.call("cuStreamEndCapture", stream, &graph);
  });
  EXPECT_TRUE(call.operations.empty());
}

TEST_F(Recorder, WritesOutTheNodesOfAGraph) {
  void* graph = nullptr;
  void* child = nullptr;
  void* inner = nullptr;
  void* outer = nullptr;
  void* node = nullptr;
  program.call("cuGraphCreate", &graph, 0U);
  program.call("cuGraphCreate", &child, 0U);
  driver_types::FillNode fill{output_at, 0, 1, 4, 8, 1};
  const auto add_fill = [&](void** made, void* to, void** after, std::size_t count) {
    program.call_export("cuGraphAddMemsetNode", made, to, after, count, &fill,
                        static_cast<void*>(nullptr));
  };
  add_fill(&inner, child, nullptr, 0);
  add_fill(&outer, graph, nullptr, 0);
  program.call_export("cuGraphAddChildGraphNode", &node, graph, &outer, std::size_t{1}, child);
  add_fill(&outer, graph, &node, 1);
  void* executable = nullptr;
  const RecordedSection call = record([&] {
    program.call("cuGraphInstantiateWithFlags", &executable, graph, 0ULL);
    program.call("cuGraphLaunch", executable, static_cast<void*>(nullptr));
  });
  const auto& nodes = action_of<RecordedGraphLaunch>(call, 0).nodes;
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_TRUE(nodes[0].after.empty());
  EXPECT_EQ(nodes[1].after.at(0).node, 0U);
  EXPECT_EQ(nodes[2].after.at(0).node, 1U);
  EXPECT_EQ(std::get<RecordedFill>(nodes[1].work).to.kind, RecordedPlace::Kind::allocation);
}

TEST_F(Recorder, RefusesWhatNoOtherProcessCanDo) {
  using testing::ElementsAre;
  using testing::HasSubstr;
  std::array<char, 8> word{};
  std::uint64_t texture = 0;
  EXPECT_THAT(obstacles([&] {
                program.call("cuTexObjectCreate", &texture, static_cast<const void*>(nullptr),
                             static_cast<const void*>(nullptr), static_cast<const void*>(nullptr));
              }),
              ElementsAre(HasSubstr("calls cuTexObjectCreate, which cannot be replayed")));
  EXPECT_THAT(obstacles([&] {
                program.call("cuMemcpyDtoH", static_cast<void*>(word.data()), output_at,
                             word.size());
              }),
              ElementsAre(HasSubstr("reads results back from the GPU")));
  EXPECT_THAT(obstacles([&] {
                program.call("cuLaunchHostFunc", static_cast<void*>(nullptr),
                             static_cast<void (*)(void*)>(nullptr), static_cast<void*>(nullptr));
              }),
              ElementsAre(HasSubstr("calls its host code (cuLaunchHostFunc)")));
  void* kernel = program.kernel("scale");
  EXPECT_THAT(obstacles([&] { program.launch(kernel, input_at, 0x660000000100); }),
              ElementsAre(HasSubstr("a parameter in pinned memory of the host")));
  EXPECT_THAT(obstacles([&] { program.launch(kernel, input_at + 65536, output_at); }),
              ElementsAre(HasSubstr("uses a tensor of an earlier call")));
  EXPECT_THAT(obstacles([&] { program.launch(stream_handle(30), input_at, output_at); }),
              ElementsAre(HasSubstr("code that cannot be loaded elsewhere")));
}

TEST_F(Recorder, SeesAnUnknownCallOfAnExport) {
  std::uint64_t texture = 0;
  EXPECT_THAT(obstacles([&] {
                program.call_export(
                    "cuTexObjectCreate", &texture, static_cast<const void*>(nullptr),
                    static_cast<const void*>(nullptr), static_cast<const void*>(nullptr));
              }),
              testing::SizeIs(1));
}

TEST_F(Recorder, AllowsWaitingAndAsking) {
  EXPECT_TRUE(obstacles([&] {
                program.call("cuStreamSynchronize", static_cast<void*>(nullptr));
                program.call("cuCtxSynchronize");
                program.call_export("cuCtxSetCurrent", static_cast<void*>(nullptr));
              }).empty());
}

}  // namespace
}  // namespace robust_kbench
