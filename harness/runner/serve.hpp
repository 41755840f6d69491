#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ipc/arena.hpp"
#include "ipc/message.hpp"

// The worker's half of the channel: a loop that answers the broker for any subject. So the same
// code calls, times and gives memory to kernels and baselines.
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

// What is called: a kernel (room worker) or a baseline (room baseline).
class Subject {
 public:
  virtual ~Subject() = default;
  virtual Loaded load(const Load& load) = 0;
  // Turns the calls of a batch into whatever `call` needs, so that `call` does nothing else.
  virtual void prepare(const std::vector<Call>& calls) = 0;
  // Runs call `index` of the batch. Only this is timed. On a GPU it need not wait for the work to
  // end.
  virtual void call(std::size_t index) = 0;
  // The memory of the outputs of call `index`, each from its first to its last element. Empty where
  // any of them lies on another device than the arena.
  [[nodiscard]] virtual std::vector<std::span<const std::byte>> outputs(std::size_t index) const {
    (void)index;
    return {};
  }
  // Where the outputs of each call lie. Those outside the arena are copied into it.
  virtual std::vector<std::vector<ResultValue>> collect() = 0;
  // Drops the results of call `index`, so that it can be repeated. True where nothing of the call
  // is left in the arena, whose memory may then be given again.
  virtual bool drop_results(std::size_t index) {
    (void)index;
    return false;
  }
  // Runs later calls on another stream of the GPU. False where the subject cannot.
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
