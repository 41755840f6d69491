#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/key_spellings.hpp"
#include "core/personal_paths.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// Removes secrets from a text for a published dataset or a model. These are keys of endpoints,
// paths of the machine and the marks that fenced foreign text in an earlier prompt.
class Scrubber {
 public:
  // `secrets` are removed everywhere, in all spellings. Short ones are kept, as they could be any
  // word.
  Scrubber(PersonalPaths paths, std::vector<std::string> secrets);

  // A path becomes the form that PersonalPaths shows, a key "[key]" and a mark "[mark]".
  [[nodiscard]] std::string scrubbed(std::string_view text) const;
  // Scrubs each text in a value.
  [[nodiscard]] nlohmann::json scrubbed(const nlohmann::json& value) const;

 private:
  PersonalPaths m_paths;
  KeySpellings m_secrets;
};

// A scrubber for the archive's directory, `further` ones, the working and the temporary directory,
// and this person's home and name. The secrets are the values of all environment variables that are
// named like a key's.
Scrubber usual_scrubber(const std::filesystem::path& archive,
                        std::vector<std::string> further = {});

}  // namespace robust_kbench
