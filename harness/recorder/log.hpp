#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "recorder/kept_memory.hpp"
#include "recorder/scratch.hpp"
#include "recording/recorder_control.hpp"
#include "recording/recording.hpp"

namespace robust_kbench::recorder {

// A stream by its handle. The handle 0 is the legacy default stream, or that of the thread.
struct StreamName {
  void* handle = nullptr;
  bool per_thread = false;
};

// What happens in the present section, as calls of the driver tell it. Addresses are absolute until
// the section ends. Any thread may call it.
class Log : public RecorderControl {
 public:
  void know_arena(const std::vector<RecordedMemory>& mappings) override;
  void begin(std::uint32_t section) override;
  RecordedSection end(const std::vector<RecordedMemory>& arguments,
                      const std::vector<RecordedMemory>& allocations) override;
  Recording finish(std::array<RecordedSection, recorded_calls>& calls) override;

  [[nodiscard]] bool is_on() const { return m_is_on; }
  // Both do nothing outside of sections.
  void add(StreamName stream, RecordedAction action);
  void refuse(ReplayObstacle::Kind kind, const std::string& reason);

  void record_event(StreamName stream, void* event);
  // A wait for an event of an earlier section is none, since calls follow each other.
  void wait_for_event(StreamName stream, void* event);

  // Memory of scratch. Nothing outside of sections, or where there is none.
  std::optional<std::uint64_t> take(StreamName stream, std::uint64_t bytes);
  // False for memory that is not of scratch.
  bool give(StreamName stream, std::uint64_t address);

 private:
  std::uint32_t stream_number(StreamName stream);
  void refuse_unknown_calls();

  std::mutex m_mutex;
  bool m_is_on = false;
  std::uint32_t m_section = 0;
  RecordedSection m_recorded;
  std::vector<ReplayObstacle> m_obstacles;
  std::map<void*, std::uint32_t> m_streams;
  std::map<void*, std::uint32_t> m_events;
  std::vector<std::uint64_t> m_counts;  // of each slot, as the section began
  std::vector<RecordedMemory> m_arena;
  Scratch m_scratch;
  KeptMemory m_kept;
};

Log& log();

}  // namespace robust_kbench::recorder
