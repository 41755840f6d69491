#pragma once

#include <string>
#include <vector>

#include "core/config.hpp"

namespace robust_kbench {

// Configs as a command line gives them, "batch_size=16,num_features=64" each, named own_1, own_2
// and so on. They count as `multi`, so none may be refused. What one leaves out has its default.
// Throws UserError for a key or a value as expand_configs() does, and where two are the same.
std::vector<Config> own_configs(const std::vector<std::string>& texts, const Params& defaults,
                                const std::vector<std::string>& ignored_keys);

// Whether it is one of these.
bool is_own(const Config& config);

// How a command line gives these parameters: what differs from the defaults, and the first one
// where nothing does.
std::string own_config_text(const Params& params, const Params& defaults);

}  // namespace robust_kbench
