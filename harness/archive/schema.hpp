#pragma once

#include <filesystem>

#include "archive/database.hpp"

namespace robust_kbench {

// The version of the tables, which archive.sqlite holds as its user_version.
inline constexpr int archive_schema_version = 3;

// Opens the database of an archive. `create` makes the directory and the tables where they are
// missing. Throws UserError where there is no archive, or one that is foreign, newer or damaged.
//
// Checks the whole file for damage before anything is written to it. An older schema is updated
// where the archive may be written. Otherwise the file stays as it is, and temporary tables and
// views of this connection stand for what it lacks.
//
// Throws UserError where an older archive would be updated while a process writes to a run in it.
// The process would go on by the older schema.
Database open_archive_database(const std::filesystem::path& directory, Database::Mode mode);

}  // namespace robust_kbench
