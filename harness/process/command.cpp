#include "process/command.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <poll.h>
#include <stop_token>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/cancelled.hpp"
#include "core/descriptor.hpp"
#include "core/error.hpp"
#include "process/process_tree.hpp"

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kept_output = std::size_t{64} << 10;
constexpr std::chrono::milliseconds look_interval{100};

// Reads what is in the pipe now, without waiting for more.
void drain(int pipe, std::string& output) {
  std::array<char, 1 << 14> buffer{};
  ssize_t n = 0;
  while ((n = read(pipe, buffer.data(), buffer.size())) > 0 || (n < 0 && errno == EINTR)) {
    if (n > 0) output.append(buffer.data(), static_cast<std::size_t>(n));
    if (output.size() > 2 * kept_output) output.erase(0, output.size() - kept_output);
  }
}

// Reads until the program has exited. End of file would come too late, since its children may hold
// the pipe. Returns before that at the deadline, which `result` says, and when `look` finds an
// excess.
void follow(int pipe, int process, Clock::time_point deadline,
            const std::function<std::string()>& look, CommandResult& result) {
  Clock::time_point next_look = Clock::now();
  while (true) {
    const Clock::time_point now = Clock::now();
    result.timed_out = now >= deadline;
    if (result.timed_out) return;
    if (now >= next_look) {
      result.excess = look();
      if (!result.excess.empty()) return;
      next_look = now + look_interval;
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(std::min(deadline, next_look) - now);
    // A closed pipe is always ready for poll(), so at its end only the exit is waited for.
    std::array<pollfd, 2> fds{{{process, POLLIN, 0}, {pipe, POLLIN, 0}}};
    poll(fds.data(), fds.size(), static_cast<int>(left.count()));
    drain(pipe, result.output);
    if (fds[0].revents != 0) return;
    if ((fds[1].revents & (POLLIN | POLLHUP)) == POLLHUP) pipe = -1;
  }
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& arguments,
                          std::chrono::milliseconds timeout, const std::string& working_directory,
                          const std::stop_token& stop) {
  return run_to_end({.arguments = arguments, .working_directory = working_directory}, timeout,
                    stop);
}

CommandResult run_to_end(SpawnOptions options, std::chrono::milliseconds timeout,
                         const std::stop_token& stop, const CommandWatch& watch) {
  if (options.arguments.empty()) throw HarnessError("run_command: there is no program to run");
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw system_failure("run_command: pipe");
  }
  const Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  fcntl(ours.get(), F_SETFL, O_NONBLOCK);

  const auto start = Clock::now();
  options.descriptors = {{theirs.get(), STDOUT_FILENO}, {theirs.get(), STDERR_FILENO}};
  const pid_t pid = spawn(options).pid;
  const CommandSession session(pid);
  theirs.reset();
  const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));

  CommandResult result;
  {
    const std::stop_callback end_early(stop, [pid] { kill(-pid, SIGKILL); });
    const auto look = [&] { return watch ? watch(pid) : std::string(); };
    follow(ours.get(), process.get(), start + timeout, look, result);
  }
  kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  // Processes that it left in its group were killed too, and this process is the one to reap them.
  while (waitpid(-pid, nullptr, 0) > 0 || errno == EINTR) {
  }
  unregister_child(pid);
  if (stop.stop_requested()) throw Cancelled();
  drain(ours.get(), result.output);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (result.output.size() > kept_output) {
    result.output.erase(0, result.output.size() - kept_output);
  }
  return result;
}

}  // namespace robust_kbench
