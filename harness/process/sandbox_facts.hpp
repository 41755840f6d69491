#pragma once

#include <string>

#include "core/sandbox_means.hpp"
#include "process/sandbox_policy.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// The means that this machine lets this user enforce. A container may forbid namespaces, and a
// kernel before Linux 5.13 lacks Landlock.
struct SandboxFacts {
  bool user_namespace = false;  // the other namespaces need one
  bool network_namespace = false;
  bool view = false;
  bool process_namespace = false;
  int landlock = 0;  // version; 0: not available
  bool socket_filter = false;
};

// The path of rkb_sandbox beside another program of the suite, or empty if there is none.
std::string sandbox_beside(const std::string& program);

// True if a program exits with 0 under a policy within a minute, after which it is killed. The
// policy must name a writable directory. The program's output is dropped.
bool succeeds_enclosed(const Enclosure& enclosure, const std::vector<std::string>& arguments,
                       const std::vector<std::string>& environment);

// Tries what can be enforced, once for each `program`, the path of rkb_sandbox. Without such a
// file, nothing can be enforced.
const SandboxFacts& sandbox_facts(const std::string& program);

// The kind of process that a sandbox is for.
enum class Enclosed {
  worker,    // loads a kernel
  tool,      // runs a worker and inspects it
  compiler,  // reads a kernel's source; ccache's own child, so without a process namespace
};

// The policy that enforces as much as the facts allow.
SandboxPolicy sandbox_policy(Enclosed enclosed, bool gpu, const SandboxFacts& facts);

// The means by which the policy enforces each promise.
SandboxMeans sandbox_means(const SandboxPolicy& policy);

}  // namespace robust_kbench
