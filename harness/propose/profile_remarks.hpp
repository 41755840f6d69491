#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/profile_record.hpp"
#include "transform/transforms.hpp"

namespace robust_kbench {

// A kernel's profile in the form that the rules of transform/ take. The vectorizer's remarks on the
// lines of `source` come first, then the names of the advice.
std::vector<Remark> profile_remarks(const ProfileRecord& profile, const std::string& source);

// The index of the first piece of advice that a rule follows, or that one of several rules follows
// that are joined by '+'. It is the number of pieces where there is none.
std::size_t rank_by_advice(const std::string& rule, const std::vector<Advice>& advice);

}  // namespace robust_kbench
