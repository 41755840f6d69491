#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// Name of the environment variable in which rkb_sandbox finds its policy.
inline constexpr const char* sandbox_policy_variable = "RKB_SANDBOX_POLICY";

// Beginnings of the lines of its report: worker and init, or why there are none.
inline constexpr const char* sandbox_started = "started ";
inline constexpr const char* sandbox_failed = "failed ";

// What the program rkb_sandbox does before it becomes another program. It fails where it cannot.
struct SandboxPolicy {
  // Namespaces. That of users gives an ordinary user the right to make the others.
  bool user_namespace = false;
  bool network_namespace = false;  // with nothing but a loopback interface, which is up
  bool process_namespace = false;  // under an init of ours; needs the view
  bool view = false;               // a file system that holds nothing but what is named below
  bool landlock = false;           // refuses files other than those named below
  bool socket_filter = false;      // refuses sockets by seccomp
  bool stop_filter = false;        // refuses by it what would work on while it is stopped

  bool gpu = false;   // sees the devices of GPUs, and local sockets, which drivers use
  bool tool = false;  // a tool runs the worker: keeps its privileges and its TCP sockets
  std::vector<std::string> readable;  // with all below, beside the system's; links are followed
  std::vector<std::string> writable;  // with all below; the first one is an existing directory

  // Descriptors, -1 for none. With a namespace of processes the numbers of worker and init are
  // written to the first. Init lives until the other end of the second is closed.
  int report = -1;
  int lifeline = -1;
};

// One line a member. Throws HarnessError where a path has a line end or is the root.
std::string encode(const SandboxPolicy& policy);
// Throws HarnessError for a text that encode() does not make.
SandboxPolicy decode_sandbox_policy(std::string_view text);

// What every program needs: libraries, programs, the loader's files.
std::vector<std::string> system_paths(bool gpu);
// Devices that all may use, and those of GPUs.
std::vector<std::string> device_paths(bool gpu);

}  // namespace robust_kbench
