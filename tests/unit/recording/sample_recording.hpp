#pragma once

#include "recording/recording.hpp"

namespace robust_kbench {

// A recording with every kind of operation.
inline Recording sample_recording() {
  const RecordedPlace input{RecordedPlace::Kind::argument, 0, 0};
  const RecordedPlace output{RecordedPlace::Kind::allocation, 0, 16};
  const RecordedPlace scratch{RecordedPlace::Kind::scratch, 0, 512};
  const RecordedLaunch launch{
      .function = 0,
      .grid = {4, 1, 1},
      .block = {256, 1, 1},
      .shared_bytes = 1024,
      .attributes = {{.id = 4, .value = {2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}}},
      .parameters = {.bytes = std::vector<std::uint8_t>(20, 7),
                     .relocations = {{.at = 0, .place = input}, {.at = 8, .place = output}}}};
  const RecordedGraphLaunch graph{
      .nodes = {{.work = launch, .after = {}},
                {.work = RecordedNothing{}, .after = {{.node = 0, .is_programmatic = 1}}}}};
  RecordedSection section{
      .argument_bytes = {64},
      .allocation_bytes = {128},
      .streams = {RecordedStream::legacy, RecordedStream::non_blocking},
      .events = 1,
      .operations =
          {{.stream = 0, .action = RecordedTake{.offset = 512, .bytes = 64}},
           {.stream = 0, .action = launch},
           {.stream = 0, .action = RecordedEventRecord{.event = 0}},
           {.stream = 1, .action = RecordedEventWait{.event = 0}},
           {.stream = 1, .action = RecordedFill{.to = scratch, .element_bytes = 4, .elements = 16}},
           {.stream = 1, .action = RecordedCopy{.to = output, .from = scratch, .bytes = 64}},
           {.stream = 0,
            .action = RecordedUpload{.to = {RecordedPlace::Kind::variable, 0, 0},
                                     .content = {.bytes = std::vector<std::uint8_t>(8),
                                                 .relocations = {{.at = 0, .place = scratch}}}}},
           {.stream = 0, .action = graph},
           {.stream = 0, .action = RecordedFunctionAttribute{.attribute = 8, .value = -1}},
           {.stream = 0, .action = RecordedGive{.offset = 512}}},
      .results = {{.is_tensor = 1, .place = output, .sizes = {4, 4}, .strides = {4, 1}, .dtype = 6},
                  {}}};
  return {.images = {{1, 2, 3}},
          .functions = {{.image = 0, .name = "_Z3addPf"}},
          .variables = {{.image = 0, .name = "table", .bytes = 64}},
          .scratch_bytes = 1024,
          .load = {},
          .first = section,
          .steady = section,
          .cleared_bytes = 3,
          .obstacles = {{ReplayObstacle::Kind::unknown_call, 1, "cuTexObjectCreate"}}};
}

}  // namespace robust_kbench
