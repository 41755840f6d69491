#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/message.hpp"

// The worker's side of the channel: a loop that answers the broker for any subject. So kernels and
// baselines are called, timed and given memory by the same code.
namespace robust_kbench {

// A failure that a subject reports instead of a result.
class SubjectError : public std::exception {
 public:
  SubjectError(Failure failure, std::string message)
      : m_failure(failure), m_message(std::move(message)) {}
  [[nodiscard]] Failure failure() const { return m_failure; }
  [[nodiscard]] const char* what() const noexcept override { return m_message.c_str(); }

 private:
  Failure m_failure;
  std::string m_message;
};

// A kernel (room worker) or a baseline (room baseline), as something to call.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual Loaded load(const Load& load) = 0;
  // Prepares the calls of a batch, so that call() only calls.
  virtual void prepare(const std::vector<Call>& calls) = 0;
  // Runs call `index` of the batch, and nothing else is timed. On a GPU it need not wait for the
  // work to end.
  virtual void call(std::size_t index) = 0;
  // The memory of the outputs of call `index`, each from its first to its last element. Empty if
  // any output is on another device than the arena.
  [[nodiscard]] virtual std::vector<std::span<const std::byte>> outputs(std::size_t index) const {
    (void)index;
    return {};
  }
  // Prepares for run_together(). Returns whether calls begin with a fill of memory, as an empty
  // call does then. Throws SubjectError for a subject that cannot do so.
  virtual bool prepare_together() { throw SubjectError(Failure::exception, "runs call by call"); }
  // Enqueues all calls of the batch as one work of the GPU, each behind a sweep of its cache.
  // Without calls, an empty call stands in the place of each.
  virtual void run_together(bool with_calls) { (void)with_calls; }
  // The places of the outputs of each call. Outputs outside the arena are copied into it.
  virtual std::vector<std::vector<ResultValue>> collect() = 0;
  // Drops the results of call `index`, so that it can be repeated. True if no result of the call is
  // left in the arena, whose memory may then be reused.
  virtual bool drop_results(std::size_t index) {
    (void)index;
    return false;
  }
  // Runs later calls on another stream of the GPU. False if the subject cannot do so.
  virtual bool use_stream(void* stream) {
    (void)stream;
    return false;
  }
  // Drops every tensor of the batch.
  virtual void release() = 0;
};

// Serves requests on `channel_fd` until `stop` or end of file. Returns the exit code.
int serve(int channel_fd, Arena& arena, Subject& subject);

}  // namespace robust_kbench
