#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evolve/settings.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {

// One member of EvolutionSettings, and which values it may have.
struct SettingKey {
  using Texts = std::vector<std::string>;
  using Member = std::variant<int EvolutionSettings::*, double EvolutionSettings::*,
                              bool EvolutionSettings::*, std::string EvolutionSettings::*,
                              Texts EvolutionSettings::*, nlohmann::json EvolutionSettings::*>;

  std::string_view name;
  Member member;
  std::string_view what;
  double low = 0;  // of numbers
  double high = 1e9;
  Texts values = {};       // of texts; empty: any
  bool is_number = false;  // a text that is one, or `auto`
  bool is_filled = false;  // a list that is not empty, with no text twice
};

// The keys of all settings.
const std::vector<SettingKey>& setting_keys();

// The key of that name. Throws UserError with the nearest known name; `where` begins its message.
const SettingKey& setting_key(const std::string& name, const std::string& where);

}  // namespace robust_kbench
