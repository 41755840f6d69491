#pragma once

#include <string>
#include <string_view>

#include "broker/worker_process.hpp"

namespace robust_kbench {

// What a wait status says about a worker that ended without being asked to, in the middle of
// `request`. A SIGKILL that the broker did not send is taken for the system's out-of-memory killer.
WorkerEnd describe_end(int wait_status, std::string_view request, const std::string& stderr_tail);

// Whether that is the verdict and its reason since the worker was killed. Another process may have
// sent the signal, or taken the memory.
bool killed_for_memory(Verdict verdict, std::string_view reason);

// `reason`, then the end of the worker's stderr where there is any.
std::string with_stderr(std::string reason, const std::string& stderr_tail);

// "in the middle of a call", for request `run`.
std::string_view moment_of(std::string_view request);

}  // namespace robust_kbench
