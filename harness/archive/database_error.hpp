#pragma once

#include <string>

struct sqlite3;

namespace robust_kbench {

// Throws the connection's last failure: UserError with a remedy, or HarnessError for a fault of
// ours.
[[noreturn]] void throw_database_error(sqlite3* database);

// Throws the UserError of a file with unexpected content.
[[noreturn]] void throw_damaged(const std::string& path, const std::string& what);

}  // namespace robust_kbench
