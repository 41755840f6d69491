#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <robust_kbench/params.hpp>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The lists of a config file that are crossed. `single` and `multi` are robust-kbench's. `small` is
// ours: shapes that take a CPU milliseconds and keep every edge of the big ones.
enum class ConfigSet { single, multi, small, drawn };

std::string_view to_string(ConfigSet set);
ConfigSet parse_config_set(std::string_view name);  // throws UserError

// One point of init x input x shared.
struct Config {
  ConfigSet set = ConfigSet::small;
  std::string
      name;       // "small/batch_size_3.num_features_5": only the file's values, without defaults
  Params params;  // the task's defaults, overridden by the file
  std::string note = {};  // what a drawn config's sizes are short of; empty: nothing
};

// Crosses `<set>_init_configs`, `<set>_input_configs` and `<set>_shared_configs` of a config file.
// Shared values are applied last and override. Identical configs are merged into one. A set that
// the file does not have is empty. `source` names the file in messages.
//
// Throws UserError for an unknown list, and for a list whose items are not objects. Also throws it
// for a key that is neither in `defaults` nor in `ignored_keys`, and for a value whose type differs
// from the default's.
std::vector<Config> expand_configs(const nlohmann::json& file, const std::string& source,
                                   ConfigSet set, const Params& defaults,
                                   const std::vector<std::string>& ignored_keys);

}  // namespace robust_kbench
