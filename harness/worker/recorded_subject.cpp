#include "worker/recorded_subject.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "recording/encode.hpp"
#include "recording/recording_file.hpp"
#include "worker/tensor.hpp"

namespace robust_kbench {
namespace {

constexpr const char* driver_variable = "RKB_DRIVER";

std::uint64_t extent_in_bytes(const TensorRef& tensor) {
  return layout_bytes({.sizes = tensor.sizes, .strides = tensor.strides, .dtype = tensor.dtype})
      .value_or(0);
}

std::vector<RecordedMemory> moved_by(std::vector<RecordedMemory> memories, const std::byte* base) {
  for (RecordedMemory& memory : memories) memory.address += CudaDriver::address_of(base);
  return memories;
}

std::optional<RecordedPlace> place_among_offsets(const std::vector<RecordedMemory>& memories,
                                                 RecordedPlace::Kind kind, std::uint64_t offset) {
  for (std::size_t i = 0; i < memories.size(); ++i) {
    const RecordedMemory& memory = memories[i];
    if (offset < memory.address ||
        offset - memory.address >= std::max<std::uint64_t>(memory.bytes, 1)) {
      continue;
    }
    return RecordedPlace{kind, static_cast<std::uint32_t>(i), offset - memory.address};
  }
  return std::nullopt;
}

}  // namespace

RecorderControl& load_recorder(const std::string& driver) {
  setenv(driver_variable, driver.c_str(), 1);
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe");
  const std::string library =
      program.parent_path().parent_path() / "lib" / "recorder" / "libcuda.so.1";
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr)
    throw HarnessError(std::string("the recorder cannot be loaded: ") + dlerror());
  const auto control =
      reinterpret_cast<RecorderControlFunction>(dlsym(handle, recorder_control_symbol));
  if (control == nullptr) throw HarnessError(library + " is no recorder");
  return *control();
}

RecordedSubject::RecordedSubject(Subject& subject, Arena& arena, RecorderControl& recorder, int fd)
    : m_subject(subject), m_arena(arena), m_recorder(recorder), m_fd(fd) {
  m_recorder.know_arena({{CudaDriver::address_of(arena.data()), arena.size()},
                         {CudaDriver::address_of(arena.kernel_data()), arena.size()}});
}

Loaded RecordedSubject::load(const Load& load) {
  m_recorder.begin(0);
  try {
    Loaded loaded = m_subject.load(load);
    m_load = m_recorder.end({}, {});
    return loaded;
  } catch (...) {
    m_recorder.end({}, {});
    throw;
  }
}

void RecordedSubject::prepare(const std::vector<robust_kbench::Call>& calls) {
  m_calls.clear();
  for (const robust_kbench::Call& call : calls) {
    RecordedCall& recorded = m_calls.emplace_back();
    for (const TensorRef& tensor : tensors_of(call)) {
      recorded.arguments.push_back({tensor.offset, extent_in_bytes(tensor)});
    }
  }
  m_subject.prepare(calls);
  poison_rest();
}

// Poison that is written within a call would be recorded as the kernel's work.
void RecordedSubject::poison_rest() {
  ArenaHeader& header = m_arena.header();
  const std::uint64_t until = m_arena.size() / 8 * 8;
  if (header.poisoned_until >= until) return;
  m_arena.poison(header.poisoned_until, until, header.poison);
  m_arena.synchronize();
  header.poisoned_until = until;
}

void RecordedSubject::call(std::size_t index) {
  if (m_sections.size() == recorded_calls) return m_subject.call(index);
  RecordedCall& call = m_calls.at(index);
  const std::size_t before = m_arena.header().allocation_count;
  const auto end = [&] {
    const std::size_t count =
        std::min<std::size_t>(m_arena.header().allocation_count, m_arena.log().size());
    for (const Allocation& allocation :
         m_arena.log().subspan(before, std::max(count, before) - before)) {
      call.allocations.push_back({allocation.offset, allocation.bytes});
    }
    return m_recorder.end(moved_by(call.arguments, m_arena.data()),
                          moved_by(call.allocations, m_arena.kernel_data()));
  };
  m_recorder.begin(static_cast<std::uint32_t>(m_sections.size() + 1));
  try {
    m_subject.call(index);
  } catch (...) {
    end();
    throw;
  }
  call.section = m_sections.size();
  m_sections.push_back(end());
}

RecordedResult RecordedSubject::result_of(const RecordedCall& call,
                                          const ResultValue& value) const {
  const auto* tensor = std::get_if<TensorRef>(&value);
  if (tensor == nullptr) return {};
  auto place =
      place_among_offsets(call.allocations, RecordedPlace::Kind::allocation, tensor->offset);
  if (!place) {
    place = place_among_offsets(call.arguments, RecordedPlace::Kind::argument, tensor->offset);
  }
  if (!place) throw SubjectError(Failure::exception, "a result lies outside of the call's memory");
  return {.is_tensor = 1,
          .place = *place,
          .sizes = tensor->sizes,
          .strides = tensor->strides,
          .dtype = tensor->dtype,
          .bytes = extent_in_bytes(*tensor)};
}

std::vector<std::vector<ResultValue>> RecordedSubject::collect() {
  std::vector<std::vector<ResultValue>> results = m_subject.collect();
  for (std::size_t i = 0; i < m_calls.size(); ++i) {
    if (!m_calls[i].section) continue;
    for (const ResultValue& value : results.at(i)) {
      m_sections[*m_calls[i].section].results.push_back(result_of(m_calls[i], value));
    }
  }
  if (m_sections.size() == recorded_calls && !m_is_written) write();
  return results;
}

void RecordedSubject::write() {
  std::array<RecordedSection, recorded_calls> calls;
  std::move(m_sections.begin(), m_sections.end(), calls.begin());
  Recording recording = m_recorder.finish(calls);
  const std::string difference = first_difference(calls[1], calls[2]);
  if (!difference.empty()) {
    recording.obstacles.push_back({ReplayObstacle::Kind::not_steady, recorded_calls,
                                   difference + " differs from that of call 2"});
  }
  recording.load = std::move(m_load);
  recording.first = std::move(calls[0]);
  recording.steady = std::move(calls[2]);
  write_recording(m_fd, encode_recording(recording));
  m_is_written = true;
}

}  // namespace robust_kbench
