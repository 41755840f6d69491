#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace robust_kbench {

// The default models: models.json of the helper, which is dated.
struct ModelList {
  struct Defaults {
    std::string proposer;  // "provider/name"
    std::string verifier;
  };
  struct Replacement {
    std::string by;
    std::string retired;  // the first day without the model, YYYY-MM-DD
  };

  std::string date;
  std::map<std::string, Defaults> defaults;  // by provider
  std::vector<std::string> paper_proposers;  // those of the robust-kbench paper
  std::string paper_verifier;
  std::string paper_translator;
  std::map<std::string, Replacement> replacements;

  // The model, or its replacement from the day of its retirement. `today` is YYYY-MM-DD.
  [[nodiscard]] std::string in_use(const std::string& model, const std::string& today) const;
};

// Throws HarnessError for a file in another form than the helper's.
ModelList load_model_list(const std::filesystem::path& file);

}  // namespace robust_kbench
