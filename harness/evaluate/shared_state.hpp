#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bench/keeper.hpp"
#include "check/content_cache.hpp"
#include "check/limits_cache.hpp"
#include "core/manifest.hpp"
#include "evaluate/build.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/gpu_admission.hpp"
#include "evaluate/race_queue.hpp"
#include "evaluate/timing_slot.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Absolute paths, empty where a tool is missing.
struct SanitizingTools {
  std::string compute_sanitizer;
  std::string cuobjdump;
};

// State that the submissions of one Evaluator share.
class SharedState {
 public:
  SharedState(const Manifest& manifest, const Task& task, Direction direction, Device device,
              EvaluatorOptions options);

  const Manifest& manifest;
  const Task& task;
  const Entry entry;
  const Device device;
  const EvaluatorOptions options;

  [[nodiscard]] bool on_gpu() const { return device == Device::cuda; }

  // Inputs and references of cases.
  ContentCache& contents();
  [[nodiscard]] std::size_t kept_bytes() const;
  // Call it before the first CUDA kernel runs (evaluate/preload.hpp).
  void preload_operators(const std::vector<Case>& cases);
  // The tools are searched once.
  const SanitizingTools& sanitizing_tools();
  // The nonce of the next submission, which is secret. It decides drawn configs and keys the calls
  // between those of a case, so kernels share contents, too.
  //
  // It changes after idle time and every 32 submissions, since a failure prints it, and a later
  // kernel might be fitted to it.
  std::uint64_t nonce();

  // GPU memory for testing a submission, and for timing `kernels` kernels in turns.
  [[nodiscard]] std::size_t test_bytes(const std::vector<Case>& cases) const;
  [[nodiscard]] std::size_t time_bytes(const std::vector<Config>& configs,
                                       std::size_t kernels) const;

  LimitsCache limits;
  CompilePool builds;
  GpuAdmission memory;  // outlives the timing slot
  TimingSlot timing;
  RaceQueue races;
  std::mutex replays;  // one at a time, since memory is claimed for one

 private:
  void rest();
  void forget_contents();

  mutable std::mutex m_mutex;
  std::unique_ptr<ContentCache> m_contents;  // null before the first kernel is tested
  std::uint64_t m_nonce;
  int m_nonce_uses = 0;
  std::once_flag m_preloaded;
  std::once_flag m_looked;
  SanitizingTools m_sanitizing_tools;

 public:
  Keeper keeper;  // last, since its thread uses all other members
};

}  // namespace robust_kbench
