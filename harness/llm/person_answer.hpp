#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace robust_kbench {

// Writes a question to a file, and waits for the file of the answer, which is to be renamed into
// place. stderr names both. None where `give_up`, which is asked meanwhile, ends the waiting.
std::optional<std::string> answer_of_person(const std::filesystem::path& question,
                                            const std::string& text,
                                            const std::filesystem::path& answer,
                                            const std::function<bool()>& give_up);

}  // namespace robust_kbench
