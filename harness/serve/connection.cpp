#include "serve/connection.hpp"

#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <poll.h>

#include "core/error.hpp"
#include "process/json_lines.hpp"
#include "serve/client.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

constexpr std::size_t longest_request = std::size_t{4} << 20;  // bytes of its line

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

  // Returns false where nobody reads any longer.
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
    const ssize_t bytes = m_lines.read_some(m_in);
    if (bytes < 0 && errno == EAGAIN) return;
    if (bytes <= 0) {
      m_lines.end();
      m_more_may_come = false;
    }
    while (take_line()) continue;
  }

  // Returns false where no whole line is there.
  bool take_line() {
    try {
      const std::optional<nlohmann::json> object = m_lines.next();
      if (object) m_client->take(*object);
      return object.has_value();
    } catch (const BadLine& line) {
      m_client->refuse(line);
      return true;
    }
  }

  const int m_in;
  const int m_out;
  const std::shared_ptr<Client> m_client;
  JsonLines m_lines{longest_request};
  bool m_more_may_come = true;
};

}  // namespace

void serve_client(int in, int out, Service& service) {
  Connection(in, out, service).run();
}

}  // namespace robust_kbench
