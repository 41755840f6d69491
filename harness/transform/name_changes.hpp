#pragma once

#include <string>
#include <vector>

#include "transform/statement.hpp"

namespace robust_kbench {

// Whether a statement itself may declare a name, beside what its children do. One that is not
// understood may declare each name that it uses.
bool may_declare(const Code& code, const SourceStatement& statement, const std::string& name);

// Whether statements at any depth may declare a name.
bool may_declare(const Code& code, const std::vector<SourceStatement>& statements,
                 const std::string& name);

// Whether a range may write a variable or its elements, itself or by a reference to it.
bool may_write(const Code& code, Range range, const std::string& name);

}  // namespace robust_kbench
