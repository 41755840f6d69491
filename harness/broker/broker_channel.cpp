#include "broker/broker_channel.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <utility>

#include "core/error.hpp"
#include "process/run_delay.hpp"
#include "process/socket_pair.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

using Result = BrokerChannel::Result;

constexpr std::chrono::milliseconds question_interval{250};

BrokerChannel::BrokerChannel() {
  SocketPair ends = make_socket_pair();
  m_ours = std::move(ends.ours);
  m_theirs = std::move(ends.theirs);
}

Result BrokerChannel::exchange(std::string_view request, const Wait& wait,
                               const std::function<void()>& sent) {
  const auto start = Clock::now();
  Result result = send_all(request, wait);
  sent();
  const std::uint64_t delay_ns = run_delay_ns();
  if (result == Result::answered) result = receive(wait);
  const std::chrono::nanoseconds wall = Clock::now() - start;
  m_wall_ns = static_cast<std::uint64_t>(wall.count());
  m_delayed_ns = run_delay_ns() - delay_ns;
  return result;
}

nlohmann::json BrokerChannel::take() {
  nlohmann::json answer = m_reader.take();
  if (!m_reader.empty()) throw HarnessError("more than one answer was given");
  return answer;
}

void BrokerChannel::notify(std::string_view request) const {
  send(m_ours.get(), request.data(), request.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

// The channel is checked before the process, so that an answer counts that was sent before an exit.
Result BrokerChannel::wait_for(short events, const Wait& wait) const {
  using std::chrono::milliseconds;
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(wait.deadline - Clock::now());
    if (left.count() <= 0) return Result::late;
    std::array<pollfd, 2> fds{{{m_ours.get(), events, 0}, {wait.process, POLLIN, 0}}};
    const milliseconds pause = std::min(left, question_interval);
    const int ready = poll(fds.data(), fds.size(), static_cast<int>(pause.count()));
    if (ready == 0 && !wait.goes_on()) return Result::refused;
    if (ready <= 0) continue;
    if ((fds[0].revents & events) != 0) return Result::answered;
    if (fds[1].revents != 0) return Result::exited;
    return Result::closed;
  }
}

Result BrokerChannel::send_all(std::string_view bytes, const Wait& wait) const {
  while (!bytes.empty()) {
    const ssize_t n = send(m_ours.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      const Result result = wait_for(POLLOUT, wait);
      if (result != Result::answered) return result;
    } else if (errno != EINTR) {
      return Result::closed;
    }
  }
  return Result::answered;
}

Result BrokerChannel::receive(const Wait& wait) {
  std::array<char, 1 << 14> buffer;  // NOLINT(*-member-init): recv fills it, between two clocks
  while (!m_reader.complete()) {
    const ssize_t n = recv(m_ours.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n > 0) {
      m_reader.append({buffer.data(), static_cast<std::size_t>(n)});
    } else if (n < 0 && errno == EAGAIN) {
      const Result result = wait_for(POLLIN, wait);
      if (result != Result::answered) return result;
    } else if (n == 0 || errno != EINTR) {
      return Result::closed;
    }
  }
  return Result::answered;
}

}  // namespace robust_kbench
