#include "core/case.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/probe_question.hpp"

namespace robust_kbench {

Direction parse_direction(std::string_view name) {
  if (name == "forward") return Direction::forward;
  if (name == "backward") return Direction::backward;
  throw UserError("direction '" + std::string(name) + "' is unknown; known: forward, backward");
}

std::string Entry::name() const {
  return task + "." + std::string(to_string(direction));
}

std::string Case::name() const {
  if (probe) return std::string(to_string(*probe)) + "/" + config.name;
  if (config.set == ConfigSet::drawn) return config.name;
  return config.name + "/seed_" + std::to_string(seed);
}

std::string Case::asks() const {
  if (is_listed()) return {};
  if (probe) return "probe " + name() + ": " + std::string(question_of(*probe));
  std::string sizes;
  for (const auto& [parameter, value] : config.params.values()) {
    sizes += (sizes.empty() ? "" : ", ") + parameter + " " + to_string(value);
  }
  const std::string note = config.note.empty() ? "" : " (" + config.note + ")";
  return "drawn config " + name() + note + ": " + sizes;
}

std::string probe_name(Probe probe) {
  return "probe." + std::string(to_string(probe));
}

std::string test_name(const Entry& entry, std::string_view kernel, std::string_view case_name) {
  std::string name = entry.name() + "." + std::string(kernel) + "." + std::string(case_name);
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return !std::isalnum(c) && c != '_' && c != '.' && c != '/'; }, '_');
  return name;
}

}  // namespace robust_kbench
