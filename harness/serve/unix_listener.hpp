#pragma once

#include <string>

#include "core/descriptor.hpp"

namespace robust_kbench {

// A unix socket that only its owner can connect to, since clients may run kernels.
class UnixListener {
 public:
  // Takes the place of a socket that nobody listens at. Throws UserError where the path is too long
  // or something else is there.
  explicit UnixListener(const std::string& path);

  // Waits for a client. Throws HarnessError.
  Descriptor accept() const;

 private:
  Descriptor m_socket;
};

}  // namespace robust_kbench
