#pragma once

#include <filesystem>

#include "archive/database.hpp"

namespace robust_kbench {

// The version of the tables, which archive.sqlite holds as its user_version.
inline constexpr int archive_schema_version = 1;

// Opens the database of an archive. `create` makes the directory and the tables where they are
// missing. Throws UserError where there is no archive, or one that is foreign, newer or damaged.
// Looks through the whole file for damage before anything is written to it.
Database open_archive_database(const std::filesystem::path& directory, Database::Mode mode);

}  // namespace robust_kbench
