#include "core/sandbox_means.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

std::vector<std::string> SandboxMeans::missing() const {
  std::vector<std::string> names;
  if (network == "none") names.emplace_back("network");
  if (files == "none") names.emplace_back("files");
  if (processes == "none") names.emplace_back("processes");
  return names;
}

void to_json(nlohmann::json& json, const SandboxMeans& means) {
  json = {{"network", means.network},
          {"files", means.files},
          {"processes", means.processes},
          {"privileges", means.privileges}};
}

void from_json(const nlohmann::json& json, SandboxMeans& means) {
  json.at("network").get_to(means.network);
  json.at("files").get_to(means.files);
  json.at("processes").get_to(means.processes);
  json.at("privileges").get_to(means.privileges);
}

}  // namespace robust_kbench
