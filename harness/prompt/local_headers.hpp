#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// A header that sources include between quotes.
struct LocalHeader {
  std::string name;  // of the file, without its directory
  std::string text;

  bool operator==(const LocalHeader&) const = default;
};

// The headers that kernels include between quotes, and what those include likewise. Each file is
// there once. Sources that a model wrote must not be among `kernels`, since they could name any
// header of this machine.
std::vector<LocalHeader> local_headers(const std::vector<KernelSource>& kernels);

// The ones among `headers` that the texts include, and the ones that these include likewise, by
// their names.
std::vector<LocalHeader> included_headers(const std::vector<LocalHeader>& headers,
                                          std::vector<std::string> texts);

}  // namespace robust_kbench
