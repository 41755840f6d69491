#include "recorder/log.hpp"

#include <algorithm>

#include "recorder/call_classes.hpp"
#include "recorder/code_book.hpp"
#include "recorder/real_driver.hpp"
#include "recorder/resolve.hpp"
#include "recorder/trampolines.hpp"
#include "recorder/unused_bytes.hpp"

namespace robust_kbench::recorder {
namespace {

// Handles of cuda.h that mean the default streams whatever a program was compiled for.
constexpr std::uintptr_t legacy_handle = 1;      // CU_STREAM_LEGACY
constexpr std::uintptr_t per_thread_handle = 2;  // CU_STREAM_PER_THREAD
constexpr unsigned non_blocking_flag = 1;        // CU_STREAM_NON_BLOCKING

// Reasons beyond these add nothing.
constexpr std::size_t most_reasons = 32;

// One handle for each of the default streams.
void* canonical(StreamName stream) {
  const auto handle = reinterpret_cast<std::uintptr_t>(stream.handle);
  if (handle > per_thread_handle) return stream.handle;
  const bool per_thread = handle == per_thread_handle || (handle == 0 && stream.per_thread);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's own handles
  return reinterpret_cast<void*>(per_thread ? per_thread_handle : legacy_handle);
}

RecordedStream kind_of(void* handle) {
  static const auto get_flags = real<int (*)(void*, unsigned*)>("cuStreamGetFlags");
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value == legacy_handle) return RecordedStream::legacy;
  if (value == per_thread_handle) return RecordedStream::blocking;
  unsigned flags = 0;
  if (get_flags(handle, &flags) != 0) return RecordedStream::blocking;
  return (flags & non_blocking_flag) != 0 ? RecordedStream::non_blocking : RecordedStream::blocking;
}

}  // namespace

Log& log() {
  static Log the_log;
  return the_log;
}

void Log::know_arena(const std::vector<RecordedMemory>& mappings) {
  const std::scoped_lock lock(m_mutex);
  m_arena = mappings;
}

void Log::begin(std::uint32_t section) {
  const std::scoped_lock lock(m_mutex);
  m_section = section;
  m_recorded = {};
  m_streams.clear();
  m_events.clear();
  m_counts.resize(slot_count());
  for (std::size_t slot = 0; slot < m_counts.size(); ++slot) m_counts[slot] = calls_of(slot);
  m_is_on = true;
}

RecordedSection Log::end(const std::vector<RecordedMemory>& arguments,
                         const std::vector<RecordedMemory>& allocations) {
  const std::scoped_lock lock(m_mutex);
  m_is_on = false;
  refuse_unknown_calls();
  m_scratch.settle();
  const bool is_first = m_section == 1;
  Resolver resolver({.arguments = arguments, .allocations = allocations, .arena = m_arena},
                    m_scratch, is_first ? nullptr : &m_kept);
  resolver.resolve(m_recorded);
  if (is_first) m_kept.know_first_call(allocations);
  for (const auto& [kind, reason] : resolver.obstacles()) {
    m_obstacles.push_back({kind, m_section, reason});
  }
  return std::move(m_recorded);
}

Recording Log::finish(std::array<RecordedSection, recorded_calls>& calls) {
  const std::scoped_lock lock(m_mutex);
  Recording recording;
  recording.cleared_bytes = clear_unused_bytes(calls);
  if (!m_kept.move(calls[0])) {
    m_obstacles.push_back({ReplayObstacle::Kind::earlier_memory, 1, "a result that it keeps"});
  }
  recording.scratch_bytes = m_scratch.most();
  for (const ReplayObstacle& obstacle : m_obstacles) {
    const bool is_new = std::find(recording.obstacles.begin(), recording.obstacles.end(),
                                  obstacle) == recording.obstacles.end();
    if (is_new && recording.obstacles.size() < most_reasons)
      recording.obstacles.push_back(obstacle);
  }
  code_book().write(recording);
  return recording;
}

void Log::refuse_unknown_calls() {
  m_counts.resize(slot_count());
  for (std::size_t slot = 0; slot < m_counts.size(); ++slot) {
    if (calls_of(slot) == m_counts[slot]) continue;
    const std::string name = name_of(slot);
    if (const auto kind = obstacle_of(name)) m_obstacles.push_back({*kind, m_section, name});
  }
}

std::uint32_t Log::stream_number(StreamName stream) {
  void* handle = canonical(stream);
  const auto [entry, is_new] =
      m_streams.try_emplace(handle, static_cast<std::uint32_t>(m_recorded.streams.size()));
  if (is_new) m_recorded.streams.push_back(kind_of(handle));
  return entry->second;
}

void Log::add(StreamName stream, RecordedAction action) {
  const std::scoped_lock lock(m_mutex);
  if (!m_is_on) return;
  m_recorded.operations.push_back({stream_number(stream), std::move(action)});
}

void Log::refuse(ReplayObstacle::Kind kind, const std::string& reason) {
  const std::scoped_lock lock(m_mutex);
  if (m_is_on) m_obstacles.push_back({kind, m_section, reason});
}

void Log::record_event(StreamName stream, void* event) {
  const std::scoped_lock lock(m_mutex);
  if (!m_is_on) return;
  const auto [entry, is_new] = m_events.try_emplace(event, m_recorded.events);
  if (is_new) ++m_recorded.events;
  m_recorded.operations.push_back(
      {stream_number(stream), RecordedEventRecord{.event = entry->second}});
}

void Log::wait_for_event(StreamName stream, void* event) {
  const std::scoped_lock lock(m_mutex);
  if (!m_is_on) return;
  const auto found = m_events.find(event);
  if (found == m_events.end()) return;
  m_recorded.operations.push_back(
      {stream_number(stream), RecordedEventWait{.event = found->second}});
}

std::optional<std::uint64_t> Log::take(StreamName stream, std::uint64_t bytes) {
  const std::scoped_lock lock(m_mutex);
  if (!m_is_on) return std::nullopt;
  const std::optional<std::uint64_t> address = m_scratch.take(bytes);
  if (!address) return std::nullopt;
  m_recorded.operations.push_back(
      {stream_number(stream),
       RecordedTake{.offset = *m_scratch.offset_of(*address), .bytes = bytes}});
  return address;
}

bool Log::give(StreamName stream, std::uint64_t address) {
  const std::scoped_lock lock(m_mutex);
  if (!m_scratch.give(address)) return false;
  if (m_is_on) {
    m_recorded.operations.push_back(
        {stream_number(stream), RecordedGive{.offset = *m_scratch.offset_of(address)}});
  } else {
    m_scratch.settle();
  }
  return true;
}

}  // namespace robust_kbench::recorder
