#include "runs/pilots/pilot_facts.hpp"

#include <algorithm>
#include <cctype>
#include <unistd.h>

#include "core/host_name.hpp"
#include "core/seed.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {

std::string new_pilot_name() {
  std::string host = host_name();
  // Dots divide the names of files, so a name has none.
  std::ranges::replace_if(
      host, [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return fmt::format("{}-{}-{:04x}", host, getpid(), secret_key() & 0xffff);
}

void to_json(nlohmann::json& json, const PilotFacts& facts) {
  json = {{"name", facts.name},   {"host", facts.host},      {"process", facts.process},
          {"label", facts.label}, {"model", facts.model},    {"rkb", facts.rkb},
          {"torch", facts.torch}, {"driver", facts.driver},  {"sources", facts.sources},
          {"slots", facts.slots}, {"refused", facts.refused}};
}

void from_json(const nlohmann::json& json, PilotFacts& facts) {
  json.at("name").get_to(facts.name);
  json.at("host").get_to(facts.host);
  json.at("process").get_to(facts.process);
  json.at("label").get_to(facts.label);
  json.at("model").get_to(facts.model);
  json.at("rkb").get_to(facts.rkb);
  json.at("torch").get_to(facts.torch);
  json.at("driver").get_to(facts.driver);
  json.at("sources").get_to(facts.sources);
  json.at("slots").get_to(facts.slots);
  json.at("refused").get_to(facts.refused);
}

}  // namespace robust_kbench
