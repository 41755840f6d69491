#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "archive/archive.hpp"
#include "archive/journal.hpp"

namespace robust_kbench {

// A run that answers in place of evaluations, programs and models.
struct Recorded {
  // "RUN" of the archive in `usual`, or "DIRECTORY:RUN". Throws UserError where it is unknown.
  Recorded(const std::string& given, const std::filesystem::path& usual);

  Archive archive;
  RecordedRun run;
};

// Opens the run that --replay names; null: it names none.
std::unique_ptr<Recorded> recorded(const std::string& given, const std::filesystem::path& usual);
std::optional<RecordedRun> run_of(const std::unique_ptr<Recorded>& recorded);

// Returns the run of --resume, else that of --replay, by which a command knows what it is about;
// none: a new run begins. Both are looked up as Recorded() does.
std::optional<RunRow> known_run(const std::string& resumed, const std::string& replayed,
                                const std::filesystem::path& usual);

}  // namespace robust_kbench
