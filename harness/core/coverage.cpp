#include "core/scope_name.hpp"

#include <string>

#include "core/error.hpp"

namespace robust_kbench {

bool parse_listed_only(std::string_view scope) {
  for (const bool listed_only : {false, true}) {
    if (scope == scope_name(listed_only)) return listed_only;
  }
  throw UserError("scope '" + std::string(scope) + "' is unknown; known: full, listed");
}

}  // namespace robust_kbench
