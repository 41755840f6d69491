#pragma once

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/descriptor.hpp"
#include "process/spawn.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The client's side of a connection.
class ServeClient {
 public:
  ServeClient(Descriptor to, Descriptor from) : m_to(std::move(to)), m_from(std::move(from)) {}

  // Connects to a server that may not listen yet.
  static ServeClient connect_to(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    for (int i = 0; i < 600; ++i) {
      Descriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
      if (connect(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
        Descriptor same(fcntl(made.get(), F_DUPFD_CLOEXEC, 0));
        return {std::move(made), std::move(same)};
      }
      std::this_thread::sleep_for(std::chrono::milliseconds{100});
    }
    throw std::runtime_error("nobody listens at " + path);
  }

  void send(const nlohmann::json& line) { send_text(line.dump() + "\n"); }
  void send_text(const std::string& text) {
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t n = write(m_to.get(), text.data() + sent, text.size() - sent);
      if (n <= 0) throw std::runtime_error("the server does not read");
      sent += static_cast<std::size_t>(n);
    }
  }

  // The next line. Throws where there is none within a minute, or at the end.
  nlohmann::json receive() {
    while (true) {
      if (const std::size_t end = m_received.find('\n'); end != std::string::npos) {
        const std::string line = m_received.substr(0, end);
        m_received.erase(0, end + 1);
        return nlohmann::json::parse(line);
      }
      if (!receive_more()) throw std::runtime_error("the server has ended");
    }
  }
  // The final line of a submission, after whatever comes before.
  nlohmann::json receive_final(const std::string& id) {
    while (true) {
      const nlohmann::json line = receive();
      if (line.at("type") == "final" && line.at("id") == id) return line;
    }
  }
  // All lines until the server closes its side.
  std::vector<nlohmann::json> receive_rest() {
    while (receive_more()) continue;
    std::vector<nlohmann::json> lines;
    while (!m_received.empty()) lines.push_back(receive());
    return lines;
  }

  void end_of_input() { m_to.reset(); }

 private:
  bool receive_more() {
    pollfd polled{.fd = m_from.get(), .events = POLLIN, .revents = 0};
    if (poll(&polled, 1, 60'000) != 1) throw std::runtime_error("the server does not answer");
    std::vector<char> bytes(std::size_t{64} << 10);
    const ssize_t n = ::read(m_from.get(), bytes.data(), bytes.size());
    if (n > 0) m_received.append(bytes.data(), static_cast<std::size_t>(n));
    return n > 0;
  }

  Descriptor m_to;
  Descriptor m_from;
  std::string m_received;
};

// A running `rkb serve`.
class ServeProcess {
 public:
  explicit ServeProcess(std::vector<std::string> options = {}) {
    auto [child_in, to] = make_pipe();
    auto [from, child_out] = make_pipe();
    options.insert(options.begin(), {RKB_PROGRAM, "serve"});
    m_pid =
        spawn({.arguments = options,
               .descriptors = {{child_in.get(), STDIN_FILENO}, {child_out.get(), STDOUT_FILENO}}})
            .pid;
    m_client = std::make_unique<ServeClient>(std::move(to), std::move(from));
  }
  ~ServeProcess() {
    if (m_pid > 0) kill(m_pid, SIGKILL);
    exit_code();
  }
  ServeProcess(const ServeProcess&) = delete;
  ServeProcess& operator=(const ServeProcess&) = delete;

  ServeClient& client() { return *m_client; }
  // Waits for its end; -1 where a signal was that.
  int exit_code() {
    int status = 0;
    if (m_pid <= 0 || waitpid(std::exchange(m_pid, -1), &status, 0) < 0) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  static std::pair<Descriptor, Descriptor> make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
  }

  pid_t m_pid = -1;
  std::unique_ptr<ServeClient> m_client;
};

}  // namespace robust_kbench
