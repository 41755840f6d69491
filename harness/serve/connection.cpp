#include "serve/connection.hpp"

#include <array>
#include <cerrno>
#include <memory>
#include <poll.h>
#include <unistd.h>

#include "core/error.hpp"
#include "serve/client.hpp"
#include "serve/line_reader.hpp"

namespace robust_kbench {
namespace {

class Connection {
 public:
  Connection(int in, int out, Service& service)
      : m_in(in), m_out(out), m_client(std::make_shared<Client>(service)) {}

  void run() {
    while (m_more_may_come || m_client->under_way() > 0 || !outbox().empty()) {
      if (!step() || outbox().overflowed()) return;
    }
  }

  ~Connection() { m_client->leave(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

 private:
  Outbox& outbox() { return m_client->outbox(); }

  // False where nobody reads any longer.
  bool step() {
    const short wants_out = outbox().empty() ? 0 : POLLOUT;
    std::array<pollfd, 3> polled{
        {{.fd = m_more_may_come ? m_in : -1, .events = POLLIN, .revents = 0},
         {.fd = m_out, .events = wants_out, .revents = 0},
         {.fd = outbox().wakeup(), .events = POLLIN, .revents = 0}}};
    if (poll(polled.data(), polled.size(), -1) < 0) {
      if (errno == EINTR) return true;
      throw system_failure("poll");
    }
    const auto& [in, out, wakeup] = polled;
    if (wakeup.revents != 0) outbox().acknowledge_wakeup();
    if ((out.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return false;
    if ((out.revents & POLLOUT) != 0 && !outbox().write_some(m_out)) return false;
    if (in.revents != 0) receive();
    return true;
  }

  void receive() {
    const LineReader::Handlers handlers{
        .on_line = [this](std::string_view line) { m_client->take(line); },
        .on_too_long = [this] { m_client->refuse_long_line(); }};
    const ssize_t bytes = read(m_in, m_received.data(), m_received.size());
    if (bytes < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (bytes > 0) {
      m_reader.feed({m_received.data(), static_cast<std::size_t>(bytes)}, handlers);
    } else {
      m_reader.end(handlers);
      m_more_may_come = false;
    }
  }

  const int m_in;
  const int m_out;
  const std::shared_ptr<Client> m_client;
  LineReader m_reader{max_line_bytes};
  std::array<char, std::size_t{64} << 10> m_received{};
  bool m_more_may_come = true;
};

}  // namespace

void serve_client(int in, int out, Service& service) {
  Connection(in, out, service).run();
}

}  // namespace robust_kbench
