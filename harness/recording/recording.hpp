#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

// The work of one kernel on a GPU as data. It has the operations of the kernel's load and of some
// calls, in order.
// Another process can do the same work from it without the kernel's host code. A recording comes
// from a process that ran a kernel, so nothing in it is believed (decode.hpp).
namespace robust_kbench {

// An address as something that another process can find again.
struct RecordedPlace {
  enum class Kind : std::uint8_t {
    argument,    // tensor `index` among the call's arguments
    allocation,  // memory `index` among those that the harness gave the kernel during the call
    scratch,     // the kernel's own memory, at the same address in each process
    variable,    // variable `index` of the recording
    absolute,    // any other address, which only the recorder knows; no recording that is kept
  };
  Kind kind = Kind::absolute;
  std::uint32_t index = 0;
  std::uint64_t offset = 0;  // bytes from there; for scratch, from its beginning

  friend bool operator==(const RecordedPlace&, const RecordedPlace&) = default;
};

// An address within bytes: the word of 8 bytes at offset `at`, a multiple of 8.
struct RecordedRelocation {
  std::uint32_t at = 0;
  RecordedPlace place;
  std::uint64_t word = 0;  // as it was in the recorded process, which alone knows it

  friend bool operator==(const RecordedRelocation& one, const RecordedRelocation& other) {
    return one.at == other.at && one.place == other.place;
  }
};

// Bytes in which some words are addresses. Those words are 0 here.
struct RecordedBytes {
  std::vector<std::uint8_t> bytes;
  std::vector<RecordedRelocation> relocations;

  friend bool operator==(const RecordedBytes&, const RecordedBytes&) = default;
};

using RecordedDimensions = std::array<std::uint32_t, 3>;

struct RecordedAttribute {
  std::uint32_t id = 0;  // CUlaunchAttributeID of cuda.h
  std::vector<std::uint8_t> value;

  friend bool operator==(const RecordedAttribute&, const RecordedAttribute&) = default;
};

struct RecordedLaunch {
  std::uint32_t function = 0;  // of the recording
  RecordedDimensions grid{};
  RecordedDimensions block{};
  std::uint32_t shared_bytes = 0;
  std::vector<RecordedAttribute> attributes;
  RecordedBytes parameters;  // one after the other, as the function's layout has them

  friend bool operator==(const RecordedLaunch&, const RecordedLaunch&) = default;
};

struct RecordedFill {
  RecordedPlace to;
  std::uint32_t value = 0;
  std::uint32_t element_bytes = 1;  // 1, 2 or 4
  std::uint64_t elements = 0;

  friend bool operator==(const RecordedFill&, const RecordedFill&) = default;
};

struct RecordedCopy {
  RecordedPlace to;
  RecordedPlace from;
  std::uint64_t bytes = 0;

  friend bool operator==(const RecordedCopy&, const RecordedCopy&) = default;
};

// A copy from the host, with what was copied.
struct RecordedUpload {
  RecordedPlace to;
  RecordedBytes content;

  friend bool operator==(const RecordedUpload&, const RecordedUpload&) = default;
};

struct RecordedNothing {
  friend bool operator==(const RecordedNothing&, const RecordedNothing&) = default;
};

using RecordedWork =
    std::variant<RecordedNothing, RecordedLaunch, RecordedFill, RecordedCopy, RecordedUpload>;

// A node waits for nodes before it in the graph.
struct RecordedNode {
  struct Dependency {
    std::uint32_t node = 0;            // index of an earlier node
    std::uint8_t is_programmatic = 0;  // 1: the node may begin before that one has ended

    friend bool operator==(const Dependency&, const Dependency&) = default;
  };
  RecordedWork work;
  std::vector<Dependency> after;

  friend bool operator==(const RecordedNode&, const RecordedNode&) = default;
};

struct RecordedGraphLaunch {
  std::vector<RecordedNode> nodes;

  friend bool operator==(const RecordedGraphLaunch&, const RecordedGraphLaunch&) = default;
};

struct RecordedEventRecord {
  std::uint32_t event = 0;

  friend bool operator==(const RecordedEventRecord&, const RecordedEventRecord&) = default;
};

struct RecordedEventWait {
  std::uint32_t event = 0;

  friend bool operator==(const RecordedEventWait&, const RecordedEventWait&) = default;
};

struct RecordedFunctionAttribute {
  std::uint32_t function = 0;
  std::uint32_t attribute = 0;  // CUfunction_attribute of cuda.h
  std::int32_t value = 0;

  friend bool operator==(const RecordedFunctionAttribute&,
                         const RecordedFunctionAttribute&) = default;
};

// The kernel took memory of its own, or gave it back.
struct RecordedTake {
  std::uint64_t offset = 0;  // in scratch
  std::uint64_t bytes = 0;

  friend bool operator==(const RecordedTake&, const RecordedTake&) = default;
};

struct RecordedGive {
  std::uint64_t offset = 0;

  friend bool operator==(const RecordedGive&, const RecordedGive&) = default;
};

using RecordedAction = std::variant<RecordedLaunch, RecordedFill, RecordedCopy, RecordedUpload,
                                    RecordedGraphLaunch, RecordedEventRecord, RecordedEventWait,
                                    RecordedFunctionAttribute, RecordedTake, RecordedGive>;

struct RecordedOperation {
  std::uint32_t stream = 0;  // of the section
  RecordedAction action;

  friend bool operator==(const RecordedOperation&, const RecordedOperation&) = default;
};

// A blocking stream waits for the legacy default stream, and that one for all blocking ones.
enum class RecordedStream : std::uint8_t { legacy, blocking, non_blocking };

// A tensor that the call returned, or nothing.
struct RecordedResult {
  std::uint8_t is_tensor = 0;
  RecordedPlace place{RecordedPlace::Kind::scratch};  // element 0, in an argument or an allocation
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;  // elements
  std::int32_t dtype = 0;             // c10::ScalarType
  std::uint64_t bytes = 0;            // from element 0 to the end of the last one

  friend bool operator==(const RecordedResult&, const RecordedResult&) = default;
};

// The kernel's load, or one call. Streams and events are numbered as they first appear.
struct RecordedSection {
  std::vector<std::uint64_t> argument_bytes;    // of each tensor among the arguments
  std::vector<std::uint64_t> allocation_bytes;  // of each memory that the harness gave
  std::vector<RecordedStream> streams;
  std::uint32_t events = 0;
  std::vector<RecordedOperation> operations;
  std::vector<RecordedResult> results;

  friend bool operator==(const RecordedSection&, const RecordedSection&) = default;
};

// Something that no other process can do again.
struct ReplayObstacle {
  enum class Kind : std::uint8_t {
    host_reads,      // host code reads what the GPU has computed
    host_function,   // the GPU's work calls the host
    foreign_memory,  // an operand in pinned, managed or unknown memory
    earlier_memory,  // an operand in a tensor of an earlier call
    unknown_call,    // a call of the driver that the recorder does not know, also of textures
    image,           // code that cannot be loaded elsewhere
    not_steady,      // two calls did different things
  };
  Kind kind = Kind::unknown_call;
  std::uint32_t section = 0;  // 0: the load, n: call n
  std::string reason;         // such as "cuTexObjectCreate"

  friend bool operator==(const ReplayObstacle&, const ReplayObstacle&) = default;
};

struct RecordedFunction {
  std::uint32_t image = 0;
  std::string name;  // mangled

  friend bool operator==(const RecordedFunction&, const RecordedFunction&) = default;
};

struct RecordedVariable {
  std::uint32_t image = 0;
  std::string name;
  std::uint64_t bytes = 0;

  friend bool operator==(const RecordedVariable&, const RecordedVariable&) = default;
};

struct Recording {
  std::vector<std::vector<std::uint8_t>> images;  // machine code, without PTX
  std::vector<RecordedFunction> functions;
  std::vector<RecordedVariable> variables;
  std::uint64_t scratch_bytes = 0;  // the most that the kernel used of scratch
  RecordedSection load;
  RecordedSection first;   // the first call
  RecordedSection steady;  // a later call, if all later calls are alike
  // Bytes of kernels' parameters that are 0 in `steady`, since two calls differed in them. Surely
  // no code reads them if the replay's results are right.
  std::uint64_t cleared_bytes = 0;
  std::vector<ReplayObstacle> obstacles;

  [[nodiscard]] bool is_replayable() const { return obstacles.empty(); }
  friend bool operator==(const Recording&, const Recording&) = default;
};

// "calls cuTexObjectCreate, which cannot be replayed (call 1)".
std::string text_of(const ReplayObstacle& obstacle);

// The first difference of two calls, such as "operation 3 (kernel launch)". Empty if they are
// equal.
std::string first_difference(const RecordedSection& one, const RecordedSection& other);

}  // namespace robust_kbench
