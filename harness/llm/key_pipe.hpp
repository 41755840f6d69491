#pragma once

#include <map>
#include <string>

#include "core/descriptor.hpp"

namespace robust_kbench {

// The reading end of a pipe that holds the keys by variable, as one JSON object. No copy of a key
// stays in this process. Throws UserError where they do not fit into a pipe.
Descriptor key_pipe(const std::map<std::string, std::string>& keys);

}  // namespace robust_kbench
