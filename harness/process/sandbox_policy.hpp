#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// The environment variable in which rkb_sandbox finds its policy.
inline constexpr const char* sandbox_policy_variable = "RKB_SANDBOX_POLICY";

// The beginnings of its report's lines: either the ids of worker and init follow, or an error.
inline constexpr const char* sandbox_started = "started ";
inline constexpr const char* sandbox_failed = "failed ";

// The restrictions that rkb_sandbox enforces before it executes another program. It fails if it
// cannot.
struct SandboxPolicy {
  // Namespaces. A user namespace gives an ordinary user the right to make the others.
  bool user_namespace = false;
  bool network_namespace = false;  // has only a loopback interface, which is up
  bool process_namespace = false;  // under our own init; needs the view
  bool view = false;               // a file system that holds nothing but what is named below
  bool landlock = false;           // refuses files other than those named below
  bool socket_filter = false;      // refuses sockets by seccomp
  bool call_filter = false;        // allows by seccomp what call_filter.cpp lists alone

  bool gpu = false;              // sees the devices of GPUs, and local sockets, which drivers use
  bool tool = false;             // a tool runs the worker: keeps its privileges and its TCP sockets
  bool without_devices = false;  // sees /dev/null alone, as a source could include /dev/zero
  std::vector<std::string> readable;  // beside the system's, with all below; links are followed
  std::vector<std::string> writable;  // with all below; the first one is an existing directory

  // In the view the first writable directory is a file system of its own, in memory, which holds so
  // many bytes. 0: it is the directory itself.
  std::uint64_t scratch_bytes = 0;

  // Descriptors, -1 for none. With a process namespace, the process ids of worker and init are
  // written to `report`. Init lives until the other end of `lifeline` is closed.
  int report = -1;
  int lifeline = -1;
};

// One line for each member. Throws HarnessError if a path contains a line end or is the root.
std::string encode(const SandboxPolicy& policy);
// Throws HarnessError for a text that encode() never makes.
SandboxPolicy decode_sandbox_policy(std::string_view text);

// The paths that every program needs: libraries, programs, and the loader's files.
std::vector<std::string> system_paths(bool gpu);
// The devices that a program may use.
std::vector<std::string> device_paths(const SandboxPolicy& policy);

}  // namespace robust_kbench
