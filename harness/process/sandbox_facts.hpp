#pragma once

#include <string>

#include "core/sandbox_means.hpp"
#include "process/sandbox_policy.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// What this machine lets this user enforce. A container may forbid namespaces, an older kernel
// lacks Landlock (Linux 5.13).
struct SandboxFacts {
  bool user_namespace = false;  // the others need one
  bool network_namespace = false;
  bool view = false;
  bool process_namespace = false;
  int landlock = 0;  // version
  bool socket_filter = false;
};

// The path of rkb_sandbox beside another program of the suite, or empty where it is not there.
std::string sandbox_beside(const std::string& program);

// Whether a program ends well under a policy, which names a writable directory, and within a
// minute. Else it is killed. What it prints is lost.
bool succeeds_enclosed(const Enclosure& enclosure, const std::vector<std::string>& arguments,
                       const std::vector<std::string>& environment);

// Tries what can be enforced, once for each program. `program` is the path of rkb_sandbox; where
// there is none, nothing can be.
const SandboxFacts& sandbox_facts(const std::string& program);

// Whom a sandbox is for.
enum class Enclosed {
  worker,    // loads a kernel
  tool,      // runs a worker under its eyes
  compiler,  // reads a kernel's source; below ccache, so that it can be nobody else's child
};

// The policy that enforces as much as the facts allow.
SandboxPolicy sandbox_policy(Enclosed enclosed, bool gpu, const SandboxFacts& facts);

// What the policy enforces, and by which means.
SandboxMeans sandbox_means(const SandboxPolicy& policy);

}  // namespace robust_kbench
