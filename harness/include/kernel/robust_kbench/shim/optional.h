#pragma once

#include <optional>

namespace rkb {

using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;

}  // namespace rkb
