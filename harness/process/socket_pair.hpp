#pragma once

#include "core/descriptor.hpp"

namespace robust_kbench {

// Both ends of a stream between this process and a child. It is a socket, since writing to a pipe
// raises a signal once the reader has ended.
struct SocketPair {
  Descriptor ours;
  Descriptor theirs;
};

// Throws HarnessError where the operating system refuses.
SocketPair make_socket_pair();

}  // namespace robust_kbench
