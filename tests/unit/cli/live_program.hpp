#pragma once

#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/descriptor.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// A program under way, whose stdout and stderr are read together.
class LiveProgram {
 public:
  explicit LiveProgram(const std::vector<std::string>& arguments) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    m_output = Descriptor(ends[0]);
    const Descriptor theirs(ends[1]);
    m_pid = spawn({.arguments = arguments,
                   .descriptors = {{theirs.get(), STDOUT_FILENO}, {theirs.get(), STDERR_FILENO}}})
                .pid;
  }
  ~LiveProgram() {
    if (m_pid > 0) kill(m_pid, SIGKILL);
    wait();
  }
  LiveProgram(const LiveProgram&) = delete;
  LiveProgram& operator=(const LiveProgram&) = delete;

  // Reads on until the output has `text`. Throws where it ends before that.
  void wait_for(const std::string& text) {
    while (m_text.find(text) == std::string::npos) {
      if (!read_more()) throw std::runtime_error("'" + text + "' is not in:\n" + m_text);
    }
  }
  void signal(int number) const { kill(m_pid, number); }

  // Reads to the end of the program. Returns its exit code, 128 + signal where a signal ended it.
  int wait() {
    if (m_pid < 0) return m_code;
    while (read_more()) continue;
    int status = 0;
    waitpid(std::exchange(m_pid, -1), &status, 0);
    return m_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  [[nodiscard]] const std::string& output() const { return m_text; }

 private:
  bool read_more() {
    constexpr int minutes = 3 * 60'000;
    pollfd polled{.fd = m_output.get(), .events = POLLIN, .revents = 0};
    if (poll(&polled, 1, minutes) != 1) throw std::runtime_error("it hangs after:\n" + m_text);
    std::array<char, 1 << 12> bytes{};
    const ssize_t n = read(m_output.get(), bytes.data(), bytes.size());
    if (n > 0) m_text.append(bytes.data(), static_cast<std::size_t>(n));
    return n > 0;
  }

  pid_t m_pid = -1;
  int m_code = -1;
  Descriptor m_output;
  std::string m_text;
};

}  // namespace robust_kbench
