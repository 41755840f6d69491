#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>

#include "evaluate/evaluator.hpp"
#include "evaluate/suite.hpp"
#include "serve/client_request.hpp"
#include "serve/submission_queue.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

struct ServiceOptions {
  std::function<EvaluatorOptions(Device device)> evaluator = usual_evaluator_options;
  std::size_t queue_capacity = 256;  // of each device
};

// The part of the server that all clients share. It has an evaluator for each entry and device,
// made on first use, and a queue for each device.
class Service {
 public:
  // The place of a submission in its queue.
  struct Place {
    Device device;
    SubmissionQueue::Ticket ticket;
  };
  using Tell = std::function<void(const nlohmann::json& line)>;

  // `suite` must outlive this object.
  Service(const Suite& suite, const ServiceOptions& options);

  // Returns the answer to `hello`.
  [[nodiscard]] nlohmann::json hello() const;

  // Queues a submission; none: the queue is full. Otherwise another thread calls `progress`, and
  // then `final` once, unless the submission is removed before. Throws UserError for an unknown
  // task or direction.
  std::optional<Place> submit(SubmitRequest submit, const std::stop_token& stop, Tell progress,
                              Tell final);
  // Removes a waiting submission. Returns false where it has begun.
  bool remove(const Place& place);

 private:
  struct Key {
    std::string task;
    Direction direction;
    Device device;
    friend bool operator<(const Key& a, const Key& b) {
      return std::tie(a.task, a.direction, a.device) < std::tie(b.task, b.direction, b.device);
    }
  };

  Evaluator& evaluator(const Key& key);
  nlohmann::json evaluate(const SubmitRequest& submit, const std::stop_token& stop,
                          const Tell& progress);
  SubmissionQueue& queue(Device device) { return device == Device::cuda ? m_cuda : m_cpu; }

  const Suite& m_suite;
  const ServiceOptions m_options;
  std::mutex m_mutex;
  std::map<Key, std::unique_ptr<Evaluator>> m_evaluators;
  SubmissionQueue m_cpu;  // last: their threads use the others
  SubmissionQueue m_cuda;
};

}  // namespace robust_kbench
