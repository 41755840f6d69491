#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace robust_kbench {

// Writes a question to a file, and waits for the file of the answer, which a person renames into
// place. stderr names both. `give_up` is called meanwhile; nullopt once it returns true.
std::optional<std::string> answer_of_person(const std::filesystem::path& question,
                                            const std::string& text,
                                            const std::filesystem::path& answer,
                                            const std::function<bool()>& give_up);

}  // namespace robust_kbench
