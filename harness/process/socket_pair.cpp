#include "process/socket_pair.hpp"

#include <array>
#include <sys/socket.h>

#include "core/error.hpp"

namespace robust_kbench {

SocketPair make_socket_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw system_failure("cannot make a pair of sockets");
  }
  return {.ours = Descriptor(ends[0]), .theirs = Descriptor(ends[1])};
}

}  // namespace robust_kbench
