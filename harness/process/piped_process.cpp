#include "process/piped_process.hpp"

#include <unistd.h>
#include <utility>

#include "process/socket_pair.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

PipedProcess start_piped(const std::vector<std::string>& command, const std::vector<int>& cpus) {
  SocketPair requests = make_socket_pair();
  SocketPair answers = make_socket_pair();
  const pid_t pid = spawn({.arguments = command,
                           .descriptors = {{requests.theirs.get(), STDIN_FILENO},
                                           {answers.theirs.get(), STDOUT_FILENO},
                                           {STDERR_FILENO, STDERR_FILENO}},
                           .cpus = cpus})
                        .pid;
  return {.pid = pid, .requests = std::move(requests.ours), .answers = std::move(answers.ours)};
}

}  // namespace robust_kbench
