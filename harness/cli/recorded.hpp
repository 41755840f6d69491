#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "archive/archive.hpp"
#include "archive/journal.hpp"
#include "cli/command_line.hpp"

namespace robust_kbench {

// A run that answers in place of evaluations, programs and models.
struct Recorded {
  // "RUN" of the archive in `usual`, or "DIRECTORY:RUN". Throws UserError where it is unknown.
  Recorded(const std::string& given, const std::filesystem::path& usual);

  [[nodiscard]] RunRow row() const { return archive.run(run.run); }

  Archive archive;
  RecordedRun run;
};

// None where --replay was not given.
std::unique_ptr<Recorded> recorded(const std::string& given, const std::filesystem::path& usual);
std::optional<RecordedRun> run_of(const std::unique_ptr<Recorded>& recorded);

}  // namespace robust_kbench
