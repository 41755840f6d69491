#include "replayer/replay_subject.hpp"

#include <utility>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "device/graph_driver.hpp"
#include "recording/address_space.hpp"
#include "recording/decode.hpp"
#include "recording/recording_file.hpp"
#include "runner/allocate.hpp"

namespace robust_kbench {
namespace {

constexpr int gpu_device_type = 1;  // RKB_CUDA

[[noreturn]] void refuse_replay(const std::string& message) {
  throw SubjectError(Failure::exception, message);
}

}  // namespace

ReplaySubject::ReplaySubject(Arena& arena, int recording_fd)
    : m_arena(arena), m_recording_fd(recording_fd) {}

Loaded ReplaySubject::load(const Load&) {
  m_recording = decode_recording(read_recording(m_recording_fd));
  if (!m_recording.is_replayable()) refuse_replay(text_of(m_recording.obstacles.front()));
  m_code.emplace(m_recording);
  if (m_recording.scratch_bytes > 0) {
    m_scratch =
        CudaMemory::create_at(m_recording.scratch_bytes, scratch_address, scratch_reserved_bytes);
  }
  m_first = plan_of(m_recording.first);
  m_steady = plan_of(m_recording.steady);
  return {};
}

void ReplaySubject::prepare(const std::vector<Call>& calls) {
  if (!m_code) refuse_replay("no recording is loaded");
  release();
  for (const Call& call : calls) {
    if (m_is_first) replay_load();
    m_calls.emplace_back();
    m_calls.back().section =
        std::exchange(m_is_first, false) ? &m_recording.first : &m_recording.steady;
    prepare_call(call, m_calls.back());
  }
}

void ReplaySubject::replay_load() {
  const ReplayPlan plan = plan_of(m_recording.load);
  set_function_attributes(plan);
  ReplayGraph graph;
  graph.append(plan, {}, *m_code);
  graph.finish();
  graph.launch();
  m_arena.synchronize();
  set_function_attributes(m_first);
}

void ReplaySubject::set_function_attributes(const ReplayPlan& plan) const {
  for (const RecordedFunctionAttribute& set : plan.function_attributes) {
    cuda_driver().check(
        graph_driver().set_kernel_attribute(static_cast<int>(set.attribute), set.value,
                                            m_code->kernel(set.function).handle, 0),
        "cuKernelSetAttribute");
  }
}

void ReplaySubject::prepare_call(const Call& call, ReplayedCall& replayed) {
  const RecordedSection& section = *replayed.section;
  for (const TensorRef& tensor : tensors_of(call)) replayed.arguments.push_back(tensor.offset);
  if (replayed.arguments.size() != section.argument_bytes.size()) {
    refuse_replay("a call has " + std::to_string(replayed.arguments.size()) +
                  " tensors, and the recorded one " +
                  std::to_string(section.argument_bytes.size()));
  }
  take_memory(section, replayed);
  for (const std::uint64_t offset : replayed.arguments) {
    replayed.places.arguments.push_back(CudaDriver::address_of(m_arena.data() + offset));
  }
  for (const std::uint64_t offset : replayed.allocations) {
    replayed.places.allocations.push_back(CudaDriver::address_of(m_arena.kernel_data() + offset));
  }
  const ReplayPlan& plan = plan_for(replayed);
  if (&plan == &m_steady) set_function_attributes(plan);
  replayed.graph = std::make_unique<ReplayGraph>();
  replayed.graph->append(plan, replayed.places, *m_code);
  replayed.graph->finish();
}

const ReplayPlan& ReplaySubject::plan_for(const ReplayedCall& call) const {
  return call.section == &m_recording.first ? m_first : m_steady;
}

bool ReplaySubject::prepare_together() {
  const bool fill = begins_with_fill(m_steady);
  m_together.prepare(m_sweep, m_arena, fill, m_calls.size(),
                     [&](ReplayGraph& batch, std::size_t index) {
                       const ReplayedCall& call = m_calls[index];
                       batch.append(plan_for(call), call.places, *m_code);
                     });
  return fill;
}

void ReplaySubject::run_together(bool with_calls) {
  m_together.run(with_calls);
}

void ReplaySubject::release() {
  m_together.release();
  m_calls.clear();
}

void ReplaySubject::take_memory(const RecordedSection& section, ReplayedCall& replayed) {
  for (const std::uint64_t bytes : section.allocation_bytes) {
    const auto* memory = static_cast<const std::byte*>(arena_allocate(m_arena, bytes));
    if (memory == nullptr) {
      throw SubjectError(Failure::out_of_memory,
                         "no room for " + std::to_string(bytes) + " bytes of a recorded call");
    }
    replayed.allocations.push_back(static_cast<std::uint64_t>(memory - m_arena.kernel_data()));
  }
}

void ReplaySubject::call(std::size_t index) {
  m_calls.at(index).graph->launch();
}

std::uint64_t ReplaySubject::offset_of(const ReplayedCall& call, const RecordedPlace& place) const {
  const bool is_argument = place.kind == RecordedPlace::Kind::argument;
  return (is_argument ? call.arguments : call.allocations).at(place.index) + place.offset;
}

std::vector<std::span<const std::byte>> ReplaySubject::outputs(std::size_t index) const {
  const ReplayedCall& call = m_calls.at(index);
  std::vector<std::span<const std::byte>> outputs;
  for (const RecordedResult& result : call.section->results) {
    if (result.is_tensor == 0) continue;
    const std::uint64_t offset = offset_of(call, result.place);
    if (offset > m_arena.size() || result.bytes > m_arena.size() - offset) return {};
    outputs.emplace_back(m_arena.data() + offset, result.bytes);
  }
  return outputs;
}

std::vector<std::vector<ResultValue>> ReplaySubject::collect() {
  std::vector<std::vector<ResultValue>> all;
  for (const ReplayedCall& call : m_calls) {
    std::vector<ResultValue>& results = all.emplace_back();
    for (const RecordedResult& result : call.section->results) {
      if (result.is_tensor == 0) {
        results.emplace_back(None{});
        continue;
      }
      results.emplace_back(TensorRef{.offset = offset_of(call, result.place),
                                     .sizes = result.sizes,
                                     .strides = result.strides,
                                     .dtype = result.dtype,
                                     .device_type = gpu_device_type});
    }
  }
  return all;
}

}  // namespace robust_kbench
