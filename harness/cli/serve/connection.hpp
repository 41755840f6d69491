#pragma once

#include "cli/serve/service.hpp"

namespace robust_kbench {

// Serves one client until all that it submitted has its final line and nothing more can come, or
// until it no longer reads; then its submissions are cancelled. `in` and `out` may be one socket.
void serve_client(int in, int out, Service& service);

}  // namespace robust_kbench
