#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ipc/arena.hpp"
#include "recording/recorder_control.hpp"
#include "runner/serve.hpp"

namespace robust_kbench {

// A subject whose load and first three calls on a GPU are recorded. Calls 2 and 3 must be alike
// for the recording to be replayable. It is written as soon as the results of the third are
// collected.
class RecordedSubject : public Subject {
 public:
  // `fd` gets the recording.
  RecordedSubject(Subject& subject, Arena& arena, RecorderControl& recorder, int fd);

  Loaded load(const Load& load) override;
  void prepare(const std::vector<robust_kbench::Call>& calls) override;
  void call(std::size_t index) override;
  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t index) const override {
    return m_subject.outputs(index);
  }
  std::vector<std::vector<ResultValue>> collect() override;
  void release() override { m_subject.release(); }

 private:
  struct RecordedCall {
    std::vector<RecordedMemory> arguments;    // at offsets of the arena
    std::vector<RecordedMemory> allocations;  // likewise
    std::optional<std::size_t> section;       // its index in m_sections, if it was recorded
  };

  void poison_rest();
  [[nodiscard]] RecordedResult result_of(const RecordedCall& call, const ResultValue& value) const;
  void write();

  Subject& m_subject;
  Arena& m_arena;
  RecorderControl& m_recorder;
  int m_fd;
  RecordedSection m_load;
  std::vector<RecordedSection> m_sections;  // of the first calls
  std::vector<RecordedCall> m_calls;        // of the present batch
  bool m_is_written = false;
};

// Loads the recorder's library in front of the driver at `driver`. Call it before anything uses the
// driver. Throws HarnessError.
RecorderControl& load_recorder(const std::string& driver);

}  // namespace robust_kbench
