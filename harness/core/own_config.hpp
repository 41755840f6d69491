#pragma once

#include <string>
#include <vector>

#include "core/config.hpp"

namespace robust_kbench {

// Configs given on a command line, each as "batch_size=16,num_features=64". They are named own_1,
// own_2 and so on, and count as `multi`, so a kernel may refuse none of them. Omitted parameters
// have their defaults. Throws UserError for a wrong key or value as expand_configs() does, and for
// two equal configs.
std::vector<Config> own_configs(const std::vector<std::string>& texts, const Params& defaults,
                                const std::vector<std::string>& ignored_keys);

// True for a config made by own_configs().
bool is_own(const Config& config);

// The text that gives these parameters on a command line. It names those that differ from the
// defaults, or the first one if all are equal to them.
std::string own_config_text(const Params& params, const Params& defaults);

}  // namespace robust_kbench
