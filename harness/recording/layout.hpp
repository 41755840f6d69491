#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "recording/recording.hpp"

// The order of a recording's fields in its bytes, and the greatest value of each. A codec writes or
// reads them (encode.cpp, decode.cpp), so both follow this one description. Each has
//   number(name, value, greatest), signed_number(name, value), text(name, value),
//   bytes(name, value, most), list(name, values, most, each), alternative(name, variant, each).
namespace robust_kbench::recording_layout {

inline constexpr std::uint32_t version = 2;
inline constexpr std::size_t most_images = 64;
inline constexpr std::size_t most_image_bytes = std::size_t{256} << 20;
inline constexpr std::size_t most_functions = 4096;
inline constexpr std::size_t most_operations = std::size_t{1} << 16;
inline constexpr std::size_t most_nodes = std::size_t{1} << 16;
inline constexpr std::size_t most_parameter_bytes = std::size_t{32} << 10;  // CUDA's is 32764
inline constexpr std::size_t most_upload_bytes = std::size_t{64} << 20;
inline constexpr std::size_t most_regions = 4096;
inline constexpr std::size_t most_streams = 128;
inline constexpr std::size_t most_events = 4096;
inline constexpr std::size_t most_attributes = 16;
inline constexpr std::size_t most_results = 64;
inline constexpr std::size_t most_obstacles = 64;
inline constexpr std::uint64_t most_memory_bytes = std::uint64_t{1} << 40;
inline constexpr std::size_t attribute_bytes = 64;  // of CUlaunchAttributeValue
inline constexpr std::size_t most_dimensions = 64;
inline constexpr std::uint64_t any_word = std::numeric_limits<std::uint32_t>::max();

template <typename Codec>
void visit(Codec& codec, RecordedPlace& place) {
  codec.number("kind of place", place.kind, std::uint64_t{3});
  codec.number("index of place", place.index, most_functions);
  codec.number("offset of place", place.offset, most_memory_bytes);
}

template <typename Codec>
void visit(Codec& codec, RecordedBytes& bytes, std::size_t most) {
  codec.bytes("bytes", bytes.bytes, most);
  codec.list("relocations", bytes.relocations, most / 8, [&](RecordedRelocation& relocation) {
    codec.number("offset of relocation", relocation.at, most);
    visit(codec, relocation.place);
  });
}

template <typename Codec>
void visit(Codec& codec, RecordedNothing&) {
  (void)codec;
}

template <typename Codec>
void visit(Codec& codec, RecordedLaunch& launch) {
  codec.number("function", launch.function, most_functions);
  for (std::uint32_t& blocks : launch.grid) codec.number("grid", blocks, any_word);
  for (std::uint32_t& threads : launch.block) codec.number("block", threads, std::uint64_t{1024});
  codec.number("shared memory", launch.shared_bytes, std::uint64_t{1} << 20);
  codec.list("launch attributes", launch.attributes, most_attributes,
             [&](RecordedAttribute& attribute) {
               codec.number("launch attribute", attribute.id, any_word);
               codec.bytes("value of launch attribute", attribute.value, attribute_bytes);
             });
  visit(codec, launch.parameters, most_parameter_bytes);
}

template <typename Codec>
void visit(Codec& codec, RecordedFill& fill) {
  visit(codec, fill.to);
  codec.number("value", fill.value, any_word);
  codec.number("bytes of an element", fill.element_bytes, std::uint64_t{4});
  codec.number("elements", fill.elements, most_memory_bytes);
}

template <typename Codec>
void visit(Codec& codec, RecordedCopy& copy) {
  visit(codec, copy.to);
  visit(codec, copy.from);
  codec.number("bytes of copy", copy.bytes, most_memory_bytes);
}

template <typename Codec>
void visit(Codec& codec, RecordedUpload& upload) {
  visit(codec, upload.to);
  visit(codec, upload.content, most_upload_bytes);
}

template <typename Codec>
void visit(Codec& codec, RecordedGraphLaunch& launch) {
  codec.list("nodes", launch.nodes, most_nodes, [&](RecordedNode& node) {
    codec.alternative("work of node", node.work, [&](auto& work) { visit(codec, work); });
    codec.list("dependencies", node.after, most_nodes, [&](RecordedNode::Dependency& dependency) {
      codec.number("dependency", dependency.node, most_nodes);
      codec.number("kind of dependency", dependency.is_programmatic, std::uint64_t{1});
    });
  });
}

template <typename Codec>
void visit(Codec& codec, RecordedEventRecord& record) {
  codec.number("event", record.event, most_events);
}

template <typename Codec>
void visit(Codec& codec, RecordedEventWait& wait) {
  codec.number("event", wait.event, most_events);
}

template <typename Codec>
void visit(Codec& codec, RecordedFunctionAttribute& set) {
  codec.number("function", set.function, most_functions);
  codec.number("function attribute", set.attribute, std::uint64_t{256});
  codec.signed_number("value of function attribute", set.value);
}

template <typename Codec>
void visit(Codec& codec, RecordedTake& take) {
  codec.number("offset in scratch", take.offset, most_memory_bytes);
  codec.number("bytes of scratch", take.bytes, most_memory_bytes);
}

template <typename Codec>
void visit(Codec& codec, RecordedGive& give) {
  codec.number("offset in scratch", give.offset, most_memory_bytes);
}

template <typename Codec>
void visit(Codec& codec, RecordedResult& result) {
  codec.number("kind of result", result.is_tensor, std::uint64_t{1});
  visit(codec, result.place);
  const auto number = [&](std::int64_t& value) { codec.signed_number("size or stride", value); };
  codec.list("sizes", result.sizes, most_dimensions, number);
  codec.list("strides", result.strides, most_dimensions, number);
  codec.signed_number("dtype", result.dtype);
  codec.number("bytes of result", result.bytes, most_memory_bytes);
}

template <typename Codec>
void visit(Codec& codec, RecordedSection& section) {
  const auto bytes = [&](std::uint64_t& value) {
    codec.number("bytes of memory", value, most_memory_bytes);
  };
  codec.list("arguments", section.argument_bytes, most_regions, bytes);
  codec.list("allocations", section.allocation_bytes, most_regions, bytes);
  codec.list("streams", section.streams, most_streams, [&](RecordedStream& stream) {
    codec.number("kind of stream", stream, std::uint64_t{2});
  });
  codec.number("events", section.events, most_events);
  codec.list("operations", section.operations, most_operations, [&](RecordedOperation& operation) {
    codec.number("stream", operation.stream, most_streams);
    codec.alternative("kind of operation", operation.action,
                      [&](auto& action) { visit(codec, action); });
  });
  codec.list("results", section.results, most_results,
             [&](RecordedResult& result) { visit(codec, result); });
}

template <typename Codec>
void visit(Codec& codec, Recording& recording) {
  codec.list("images", recording.images, most_images, [&](std::vector<std::uint8_t>& image) {
    codec.bytes("image", image, most_image_bytes);
  });
  codec.list("functions", recording.functions, most_functions, [&](RecordedFunction& function) {
    codec.number("image of function", function.image, most_images);
    codec.text("name of function", function.name);
  });
  codec.list("variables", recording.variables, most_functions, [&](RecordedVariable& variable) {
    codec.number("image of variable", variable.image, most_images);
    codec.text("name of variable", variable.name);
    codec.number("bytes of variable", variable.bytes, most_memory_bytes);
  });
  codec.number("bytes of scratch", recording.scratch_bytes, most_memory_bytes);
  visit(codec, recording.load);
  visit(codec, recording.first);
  visit(codec, recording.steady);
  codec.number("cleared bytes", recording.cleared_bytes, most_memory_bytes);
  codec.list("obstacles", recording.obstacles, most_obstacles, [&](ReplayObstacle& obstacle) {
    codec.number("kind of obstacle", obstacle.kind, std::uint64_t{6});
    codec.number("section of obstacle", obstacle.section, any_word);
    codec.text("reason", obstacle.reason);
  });
}

}  // namespace robust_kbench::recording_layout
