#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Takes out of a text what a published dataset must not hold. These are keys of endpoints, paths of
// the machine and the marks that fenced foreign text in a prompt.
class Scrubber {
 public:
  // Paths below `directories` go, and those below the usual places of people's files. `secrets` go
  // wherever they stand; ones of a few characters are left, as they could be any word.
  Scrubber(std::vector<std::string> directories, std::vector<std::string> secrets);

  // A path becomes ".../" and its last part, a key "[key]" and a mark "[mark]".
  [[nodiscard]] std::string scrubbed(std::string_view text) const;
  // The same for each text in a value.
  [[nodiscard]] nlohmann::json scrubbed(const nlohmann::json& value) const;

 private:
  std::vector<std::string> m_directories;  // each ends in '/'
  std::vector<std::string> m_secrets;
};

// With this person's home, and the values of all variables of the environment that are called like
// a key's.
Scrubber usual_scrubber(const std::string& archive_directory);

}  // namespace robust_kbench
