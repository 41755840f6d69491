#pragma once

#include "core/descriptor.hpp"

namespace robust_kbench {

// Both ends of a stream between this process and a child. It is a socket, since writing to the pipe
// of a process that has ended raises a signal.
struct SocketPair {
  Descriptor ours;
  Descriptor theirs;
};

// Throws HarnessError where the system gives none.
SocketPair make_socket_pair();

}  // namespace robust_kbench
