#pragma once

#include "serve/service.hpp"

namespace robust_kbench {

// Serves one client until each of its submissions has its final line and no request can come any
// more. If the client stops reading, its submissions are cancelled. `in` and `out` may be one
// socket.
void serve_client(int in, int out, Service& service);

}  // namespace robust_kbench
