#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "archive/key_spellings.hpp"
#include "archive/personal_paths.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Takes out of a text what must not leave this machine, in a published dataset or in what is said
// to a model. These are keys of endpoints, paths of the machine and the marks that fenced foreign
// text in an earlier prompt.
class Scrubber {
 public:
  // `secrets` go wherever they stand, however they are spelled. Ones of a few characters are left,
  // as they could be any word.
  Scrubber(PersonalPaths paths, std::vector<std::string> secrets);

  // A path becomes what PersonalPaths shows of it, a key "[key]" and a mark "[mark]".
  [[nodiscard]] std::string scrubbed(std::string_view text) const;
  // The same for each text in a value.
  [[nodiscard]] nlohmann::json scrubbed(const nlohmann::json& value) const;

 private:
  PersonalPaths m_paths;
  KeySpellings m_secrets;
};

// With the archive's directory, `further` ones, the working and the temporary directory, and this
// person's home and name. The secrets are the values of all variables of the environment that are
// called like a key's.
Scrubber usual_scrubber(const std::filesystem::path& archive,
                        std::vector<std::string> further = {});

}  // namespace robust_kbench
