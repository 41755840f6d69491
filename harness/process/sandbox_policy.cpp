#include "process/sandbox_policy.hpp"

#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

using Flag = bool SandboxPolicy::*;
constexpr std::array<std::pair<std::string_view, Flag>, 10> flags{{
    {"user_namespace", &SandboxPolicy::user_namespace},
    {"network_namespace", &SandboxPolicy::network_namespace},
    {"process_namespace", &SandboxPolicy::process_namespace},
    {"view", &SandboxPolicy::view},
    {"landlock", &SandboxPolicy::landlock},
    {"socket_filter", &SandboxPolicy::socket_filter},
    {"call_filter", &SandboxPolicy::call_filter},
    {"gpu", &SandboxPolicy::gpu},
    {"tool", &SandboxPolicy::tool},
    {"without_devices", &SandboxPolicy::without_devices},
}};

template <typename Number = int>
Number number(std::string_view text) {
  auto value = static_cast<Number>(-1);
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void read_line(std::string_view line, SandboxPolicy& policy) {
  for (const auto& [name, flag] : flags) {
    if (line == name) {
      policy.*flag = true;
      return;
    }
  }
  const std::size_t space = line.find(' ');
  const std::string_view name = line.substr(0, space);
  const std::string_view value = space == std::string_view::npos ? "" : line.substr(space + 1);
  if (name == "readable") {
    policy.readable.emplace_back(value);
  } else if (name == "writable") {
    policy.writable.emplace_back(value);
  } else if (name == "scratch_bytes") {
    policy.scratch_bytes = number<std::uint64_t>(value);
  } else if (name == "report") {
    policy.report = number(value);
  } else if (name == "lifeline") {
    policy.lifeline = number(value);
  } else {
    throw HarnessError("a sandbox's policy has the unknown line '" + std::string(line) + "'");
  }
}

}  // namespace

std::string encode(const SandboxPolicy& policy) {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (value.find('\n') != std::string::npos) {
      throw HarnessError("the path " + value + " has a line end; rename it");
    }
    if (std::filesystem::path(value).lexically_normal() == "/") {
      throw HarnessError("a sandbox that shows / hides nothing; name a directory below it");
    }
    text.append(name).append(" ").append(value).append("\n");
  };
  for (const auto& [name, flag] : flags) {
    if (policy.*flag) text.append(name).append("\n");
  }
  for (const std::string& path : policy.readable) add("readable", path);
  for (const std::string& path : policy.writable) add("writable", path);
  if (policy.scratch_bytes > 0) add("scratch_bytes", std::to_string(policy.scratch_bytes));
  if (policy.report >= 0) add("report", std::to_string(policy.report));
  if (policy.lifeline >= 0) add("lifeline", std::to_string(policy.lifeline));
  return text;
}

SandboxPolicy decode_sandbox_policy(std::string_view text) {
  SandboxPolicy policy;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) throw HarnessError("a sandbox's policy is cut off");
    read_line(text.substr(0, end), policy);
    text.remove_prefix(end + 1);
  }
  return policy;
}

std::vector<std::string> system_paths(bool gpu) {
  std::vector<std::string> paths{"/usr",
                                 "/bin",
                                 "/sbin",
                                 "/lib",
                                 "/lib32",
                                 "/lib64",
                                 "/nix/store",
                                 "/opt/nvidia",
                                 "/etc/alternatives",
                                 "/etc/ld.so.cache",
                                 "/etc/ld.so.conf",
                                 "/etc/ld.so.conf.d",
                                 "/etc/localtime",
                                 "/sys/devices/system"};
  if (gpu) paths.insert(paths.end(), {"/sys", "/etc/nvidia", "/etc/OpenCL"});
  return paths;
}

std::vector<std::string> device_paths(const SandboxPolicy& policy) {
  if (policy.without_devices) return {"/dev/null"};
  std::vector<std::string> paths{"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                 "/dev/urandom"};
  if (!policy.gpu) return paths;
  paths.emplace_back("/dev/dxg");
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev", ignored)) {
    if (entry.path().filename().native().starts_with("nvidia")) paths.push_back(entry.path());
  }
  return paths;
}

}  // namespace robust_kbench
