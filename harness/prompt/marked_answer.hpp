#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

// Answers of models that have to repeat the mark of their prompt, which only the model knows.
namespace robust_kbench {

// The answer without its repetitions of the fences that have the mark. A fence that is not closed
// goes to the end.
std::string without_fences(std::string_view answer, std::string_view mark);

// The JSON object at the end of the text, in a Markdown block or not. Null where there is none.
nlohmann::json object_at_end(std::string_view text);

}  // namespace robust_kbench
