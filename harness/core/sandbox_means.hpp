#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The operating system's mechanisms that confine a kernel. Each field has their names, joined by
// commas, or "none".
struct SandboxMeans {
  std::string network;
  std::string files;
  std::string processes;
  std::string privileges;

  // The names of those among the first three fields that are "none".
  [[nodiscard]] std::vector<std::string> missing() const;
};

void to_json(nlohmann::json& json, const SandboxMeans& means);
void from_json(const nlohmann::json& json, SandboxMeans& means);

}  // namespace robust_kbench
