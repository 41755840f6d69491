#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include "core/descriptor.hpp"
#include "ipc/channel.hpp"

namespace robust_kbench {

// The broker's end of a worker's channel.
class BrokerChannel {
 public:
  using Clock = std::chrono::steady_clock;

  // The end of an exchange.
  enum class Result {
    answered,
    exited,   // the worker is gone
    closed,   // the worker has closed its end, and may live on
    late,     // the deadline has passed
    refused,  // the exchange is not to go on
  };

  // Makes both ends. Throws HarnessError.
  BrokerChannel();

  // The worker's end, to be handed to it. `forget_worker_end` closes our copy.
  [[nodiscard]] int worker_end() const { return m_theirs.get(); }
  void forget_worker_end() { m_theirs.reset(); }

  // Conditions under which an answer is waited for.
  struct Wait {
    int process = -1;  // the worker's pidfd
    Clock::time_point deadline;
    std::function<bool()> goes_on;  // asked every quarter of a second
  };

  // Sends a request, calls `sent`, and receives until an answer is complete.
  Result exchange(std::string_view request, const Wait& wait, const std::function<void()>& sent);
  // Time from the first byte sent to the last one received in the last exchange.
  [[nodiscard]] std::uint64_t wall_ns() const { return m_wall_ns; }
  // The part of `wall_ns` in which this thread waited for a processor after all was sent. Waiting
  // before that does not count, since a worker on the same CPU may have used the time.
  [[nodiscard]] std::uint64_t delayed_ns() const { return m_delayed_ns; }

  // Takes the answer. Throws HarnessError if it is malformed, or if more bytes follow it.
  nlohmann::json take();

  // Sends a request that gets no answer. Gives up at once if the worker does not read.
  void notify(std::string_view request) const;

 private:
  Result wait_for(short events, const Wait& wait) const;
  Result send_all(std::string_view bytes, const Wait& wait) const;
  Result receive(const Wait& wait);

  Descriptor m_ours;
  Descriptor m_theirs;
  FrameReader m_reader{max_answer_bytes};
  std::uint64_t m_wall_ns = 0;
  std::uint64_t m_delayed_ns = 0;
};

}  // namespace robust_kbench
