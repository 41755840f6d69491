#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Which means of the operating system keep a kernel from what it must not reach: names, joined by
// commas, or "none".
struct SandboxMeans {
  std::string network;
  std::string files;
  std::string processes;
  std::string privileges;

  // The promises among the first three that nothing enforces.
  [[nodiscard]] std::vector<std::string> missing() const;
};

void to_json(nlohmann::json& json, const SandboxMeans& means);
void from_json(const nlohmann::json& json, SandboxMeans& means);

}  // namespace robust_kbench
