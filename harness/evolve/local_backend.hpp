#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "evaluate/evaluator.hpp"
#include "evolve/evaluation_backend.hpp"
#include "evolve/evaluation_ends.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {

struct LocalBackendOptions {
  std::vector<ConfigSet> sets;  // that count; empty: the device's usual one
  double slower_limit = 0.1;    // see acceptance.hpp
  // Estimators of ipc/estimate.hpp that are asked beside our own where baselines race, on a GPU
  // only.
  std::vector<std::string> estimators = {};
  bool require_replay = false;  // EvolutionSettings::require_replay
  Capabilities refused = {};    // to candidates (core/capability.hpp)
  int side_by_side = 1;         // evaluations at a time
  std::stop_token stop = {};
  std::stop_token search = {};       // of what decides a candidate, beside `stop`
  std::stop_token first_races = {};  // of these and what comes before them, beside both
  std::function<void(const std::string& text)> on_progress = {};
};

// Compiles, tests and times candidates on this machine, through an Evaluator. Threads may evaluate
// at the same time, distinct candidates.
class LocalBackend : public EvaluationBackend {
 public:
  // The references outlive this object.
  LocalBackend(const Manifest& manifest, const Task& task, Direction direction, Device device,
               LocalBackendOptions options);
  ~LocalBackend() override;

  Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                      const std::map<std::string, const Candidate*>& rivals) override;

  // True on a GPU, where the profilers claim a small part of its memory.
  [[nodiscard]] bool profiles_beside() const override;
  // True where this machine has processors to spare, and nothing is compiled ahead yet.
  [[nodiscard]] bool looks_ahead() const override;
  // Compiles the candidate in another thread. On the CPU nothing is timed meanwhile.
  void expect(const Candidate& candidate) override;

 private:
  // The candidate as a kernel of a build. It is compiled once.
  KernelSource built(const Candidate& candidate, const std::stop_token& stop);
  Evaluation compile_candidate(const Candidate& candidate, const std::stop_token& stop);
  BuildRecord compiled(const KernelSource& kernel, const Candidate& candidate,
                       const std::stop_token& stop);
  KernelRecord profile_candidate(const Candidate& candidate);
  [[nodiscard]] std::vector<ConfigSet> screened_sets() const;
  // Whether a winner's work is replayed, and that of a candidate whose spans seem false.
  [[nodiscard]] bool replays() const;
  // Chooses the cases that are tested, and the stages of the request.
  void choose_work(EvaluationKind kind, Request& request) const;
  Request request_of(EvaluationKind kind, const std::map<std::string, const Candidate*>& rivals,
                     const std::stop_token& stop);

  const Manifest& m_manifest;
  const Task& m_task;
  const Direction m_direction;
  const Device m_device;
  const LocalBackendOptions m_options;
  Evaluator m_evaluator;
  const std::vector<Config> m_timed;  // that count
  const TemporaryDirectory m_work;    // libraries, by the hash of their source
  const std::uint64_t m_nonce;        // of the confirmation
  std::mutex m_rebuilding;
  EvaluationEnds m_ends;
  std::string m_expected;  // the hash of its source; empty: there is none
  std::future<BuildRecord> m_expected_build;
};

}  // namespace robust_kbench
