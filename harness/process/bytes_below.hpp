#pragma once

#include <cstdint>
#include <string>

namespace robust_kbench {

// What the files below `directory` take on the disk. The sum stops beyond `limit`, so that it takes
// no long time. A directory that cannot be read counts as more than that, since a program may have
// closed it to hide files.
std::uint64_t bytes_below(const std::string& directory, std::uint64_t limit);

}  // namespace robust_kbench
