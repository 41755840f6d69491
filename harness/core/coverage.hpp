#pragma once

#include <string_view>

// The names of what a kernel is tested on, as records, manifests and command lines spell them.
// "listed" leaves out drawn configs and probes. "full" does not.
namespace robust_kbench {

constexpr std::string_view scope_name(bool listed_only) {
  return listed_only ? "listed" : "full";
}

// True for "listed". Throws UserError for a name that scope_name() never gives.
bool parse_listed_only(std::string_view scope);

}  // namespace robust_kbench
