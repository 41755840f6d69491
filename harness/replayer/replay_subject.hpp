#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/cuda_memory.hpp"
#include "ipc/arena.hpp"
#include "recording/recording.hpp"
#include "replayer/plan.hpp"
#include "replayer/replay_code.hpp"
#include "replayer/replay_graph.hpp"
#include "runner/serve.hpp"
#include "runner/sweep_graph.hpp"
#include "runner/swept_batch.hpp"

namespace robust_kbench {

// A recording as a subject of serve(). Before its first call it repeats the kernel's load. The
// first call repeats the kernel's first one, and each later call a later one. Each call has the
// addresses that the broker and the arena give it.
class ReplaySubject : public Subject {
 public:
  // `recording_fd` is a file with the recording.
  ReplaySubject(Arena& arena, int recording_fd);

  // Reads the recording, and loads its code. There are no parameters to tell of.
  Loaded load(const Load& load) override;
  void prepare(const std::vector<Call>& calls) override;
  void call(std::size_t index) override;
  [[nodiscard]] std::vector<std::span<const std::byte>> outputs(std::size_t index) const override;
  std::vector<std::vector<ResultValue>> collect() override;
  bool prepare_together() override;
  void run_together(bool with_calls) override;
  void release() override;

 private:
  struct ReplayedCall {
    const RecordedSection* section = nullptr;
    std::vector<std::uint64_t> arguments;    // offsets in the arena
    std::vector<std::uint64_t> allocations;  // likewise
    ReplayPlaces places;
    std::unique_ptr<ReplayGraph> graph;
  };

  void prepare_call(const Call& call, ReplayedCall& replayed);
  void take_memory(const RecordedSection& section, ReplayedCall& replayed);
  void replay_load();
  void set_function_attributes(const ReplayPlan& plan) const;
  [[nodiscard]] const ReplayPlan& plan_for(const ReplayedCall& call) const;
  [[nodiscard]] std::uint64_t offset_of(const ReplayedCall& call, const RecordedPlace& place) const;

  Arena& m_arena;
  int m_recording_fd;
  Recording m_recording;
  std::optional<ReplayCode> m_code;
  std::optional<CudaMemory> m_scratch;
  ReplayPlan m_first;
  ReplayPlan m_steady;
  bool m_is_first = true;  // no call has been prepared
  std::vector<ReplayedCall> m_calls;
  std::optional<SweepGraph> m_sweep;
  SweptBatch<ReplayGraph> m_together;
};

}  // namespace robust_kbench
