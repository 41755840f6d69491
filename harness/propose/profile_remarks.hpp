#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/profile_record.hpp"
#include "transform/transforms.hpp"

namespace robust_kbench {

// A kernel's profile in the form that the rules of transform/ take. What the vectorizer says of the
// lines of `source` comes first, then the names of the advice.
std::vector<Remark> profile_remarks(const ProfileRecord& profile, const std::string& source);

// The index of the first piece of advice that a rule follows, or one of several that are joined by
// '+'. The number of pieces where it follows none.
std::size_t rank_by_advice(const std::string& rule, const std::vector<Advice>& advice);

}  // namespace robust_kbench
