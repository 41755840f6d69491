#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "evolve/evaluation_backend.hpp"
#include "process/piped_process.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Another process that evaluates, as one does for each GPU of several. It gets requests and answers
// them as lines of JSON.
class ProcessBackend : public EvaluationBackend {
 public:
  // Starts `command`, which serves evaluations (serve_evaluations), on these CPUs. Throws
  // HarnessError where it cannot start. `search` ends evaluations that decide a candidate, and
  // `stop` all.
  ProcessBackend(const std::vector<std::string>& command, const std::vector<int>& cpus,
                 std::stop_token stop, const std::stop_token& search = {});
  ~ProcessBackend() override;  // ends it
  ProcessBackend(const ProcessBackend&) = delete;
  ProcessBackend& operator=(const ProcessBackend&) = delete;

  // Throws HarnessError where the process has ended.
  Evaluation evaluate(EvaluationKind kind, const Candidate& candidate,
                      const std::map<std::string, const Candidate*>& rivals) override;

 private:
  void read_answers();

  const std::stop_token m_stop;
  PipedProcess m_process;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  int m_asked = 0;
  std::map<int, nlohmann::json> m_done;  // by request
  std::string m_failure;                 // why nothing more is answered; empty: it may be
  std::thread m_reader;
  std::optional<std::stop_callback<std::function<void()>>> m_ending_search;
};

// The other side of the process: answers the requests on stdin, several at a time, until it ends.
// stdout carries nothing else. `stop` is requested then, and `search` when the other side's search
// has ended.
void serve_evaluations(EvaluationBackend& backend, std::stop_source stop,
                       std::stop_source search = {});

}  // namespace robust_kbench
