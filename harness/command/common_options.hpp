#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "command/command_line.hpp"
#include "command/option_groups.hpp"

namespace robust_kbench {

// An option that several commands have. All of them call and explain it the same.
struct CommonOption {
  std::string names;
  std::string text;
  std::vector<std::string> choices = {};                // none: any value
  std::optional<std::pair<double, double>> range = {};  // of numbers
  bool separated_by_commas = false;                     // several values may be given as one
};

// All common options. An option that a second command gets moves here.
const std::vector<CommonOption>& common_options();

// Returns the option that has `name` as its only or its last name.
const CommonOption& common_option(const std::string& name);

// Declares a common option. `more` follows its text, with what the option means in this command and
// what holds without it. The variable outlives the parsing.
template <typename Value>
Option add_common_option(CommandLine& command, const std::string& name, Value& value,
                         const std::string& more = "") {
  const CommonOption& common = common_option(name);
  const std::string text = more.empty() ? common.text : common.text + "; " + more;
  if constexpr (std::is_same_v<Value, bool>) {
    return command.add_flag(common.names, value, text).group(group_of(name));
  } else {
    Option option = command.add_option(common.names, value, text).group(group_of(name));
    if (common.separated_by_commas) option.delimiter(',');
    if (!common.choices.empty()) option.one_of(common.choices);
    if (common.range) option.between(common.range->first, common.range->second);
    return option;
  }
}

}  // namespace robust_kbench
