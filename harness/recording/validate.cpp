#include "recording/validate.hpp"

#include <string>

#include "recording/decode.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t recorded_word_bytes = 8;

class RecordingCheck {
 public:
  explicit RecordingCheck(const Recording& recording) : m_recording(recording) {}

  void run() {
    for (const RecordedFunction& function : m_recording.functions) {
      below("image of function", function.image, m_recording.images.size());
    }
    for (const RecordedVariable& variable : m_recording.variables) {
      below("image of variable", variable.image, m_recording.images.size());
    }
    section("load", m_recording.load);
    section("first call", m_recording.first);
    section("steady call", m_recording.steady);
  }

 private:
  void section(const char* name, const RecordedSection& section) {
    m_section = &section;
    for (std::size_t i = 0; i < section.operations.size(); ++i) {
      m_where = std::string(name) + ", operation " + std::to_string(i);
      const RecordedOperation& operation = section.operations[i];
      below("stream", operation.stream, section.streams.size());
      std::visit([this](const auto& action) { check(action); }, operation.action);
    }
    for (const RecordedResult& result : section.results) {
      m_where = std::string(name) + ", results";
      if (result.is_tensor == 0) continue;
      if (result.place.kind != RecordedPlace::Kind::argument &&
          result.place.kind != RecordedPlace::Kind::allocation) {
        fail("a result lies neither in an argument nor in an allocation");
      }
      check(result.place);
      if (result.sizes.size() != result.strides.size()) fail("a result has sizes without strides");
    }
  }

  void check(const RecordedPlace& place) {
    switch (place.kind) {
      case RecordedPlace::Kind::argument:
        return below("argument", place.index, m_section->argument_bytes.size());
      case RecordedPlace::Kind::allocation:
        return below("allocation", place.index, m_section->allocation_bytes.size());
      case RecordedPlace::Kind::variable:
        return below("variable", place.index, m_recording.variables.size());
      case RecordedPlace::Kind::scratch:
        return;
      case RecordedPlace::Kind::absolute:
        fail("an address is not that of anything known");
    }
  }

  void check(const RecordedBytes& bytes) {
    std::size_t begin = 0;
    for (const RecordedRelocation& relocation : bytes.relocations) {
      const std::size_t end = std::size_t{relocation.at} + recorded_word_bytes;
      if (relocation.at < begin || relocation.at % recorded_word_bytes != 0 ||
          end > bytes.bytes.size()) {
        fail("a relocation at byte " + std::to_string(relocation.at) + " of " +
             std::to_string(bytes.bytes.size()));
      }
      begin = end;
      check(relocation.place);
    }
  }

  void check(const RecordedNothing&) {}
  void check(const RecordedLaunch& launch) {
    below("function", launch.function, m_recording.functions.size());
    check(launch.parameters);
  }
  void check(const RecordedFill& fill) {
    check(fill.to);
    if (fill.element_bytes != 1 && fill.element_bytes != 2 && fill.element_bytes != 4) {
      fail("elements of " + std::to_string(fill.element_bytes) + " bytes, expected 1, 2 or 4");
    }
  }
  void check(const RecordedCopy& copy) {
    check(copy.to);
    check(copy.from);
  }
  void check(const RecordedUpload& upload) {
    check(upload.to);
    check(upload.content);
  }
  void check(const RecordedGraphLaunch& launch) {
    for (std::size_t i = 0; i < launch.nodes.size(); ++i) {
      std::visit([this](const auto& work) { check(work); }, launch.nodes[i].work);
      for (const RecordedNode::Dependency& dependency : launch.nodes[i].after) {
        below("dependency", dependency.node, i);
      }
    }
  }
  void check(const RecordedEventRecord& record) { below("event", record.event, m_section->events); }
  void check(const RecordedEventWait& wait) { below("event", wait.event, m_section->events); }
  void check(const RecordedFunctionAttribute& set) {
    below("function", set.function, m_recording.functions.size());
  }
  void check(const RecordedTake&) {}
  void check(const RecordedGive&) {}

  void below(const char* name, std::size_t value, std::size_t count) {
    if (value >= count) {
      fail(std::string(name) + " " + std::to_string(value) + " of " + std::to_string(count));
    }
  }
  [[noreturn]] void fail(const std::string& what) {
    throw RecordingError("recording: " + (m_where.empty() ? "" : m_where + ": ") + what);
  }

  const Recording& m_recording;
  const RecordedSection* m_section = nullptr;
  std::string m_where;
};

}  // namespace

void validate_recording(const Recording& recording) {
  RecordingCheck(recording).run();
}

}  // namespace robust_kbench
