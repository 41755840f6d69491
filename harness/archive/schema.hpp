#pragma once

#include <filesystem>

#include "archive/database.hpp"

namespace robust_kbench {

// The version of the tables, which archive.sqlite holds as its user_version.
inline constexpr int archive_schema_version = 2;

// Opens the database of an archive. `create` makes the directory and the tables where they are
// missing. Throws UserError where there is no archive, or one that is foreign, newer or damaged.
//
// Checks the whole file for damage before anything is written to it. An older schema is updated
// where the archive may be written, and stays as it is otherwise.
Database open_archive_database(const std::filesystem::path& directory, Database::Mode mode);

// Whether the tables `calls` and `answers` exist. They are missing in an archive of version 1 that
// is only read.
bool has_call_tables(const Database& database);

}  // namespace robust_kbench
