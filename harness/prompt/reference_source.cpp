#include "prompt/reference_source.hpp"

#include <filesystem>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/text_file.hpp"
#include "evaluate/task_directory.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

ReferenceSource reference_source(const Manifest& manifest, const Task& task) {
  const std::filesystem::path directory = directory_of(manifest, task).directory;
  if (std::optional<std::string> python = read_text(directory / "reference.py")) {
    return {*std::move(python), "python"};
  }
  if (std::optional<std::string> cpp = read_text(directory / "task.cpp")) {
    return {*std::move(cpp), "cpp"};
  }
  throw UserError("a language model cannot be told what task " + task.name + " computes: " +
                  directory.string() + " has neither reference.py nor task.cpp; add one of them");
}

std::vector<std::string> python_parameters(std::string_view source, std::string_view function) {
  const std::string head = "\ndef " + std::string(function) + "(";
  const std::string text = "\n" + std::string(source);
  const std::size_t at = text.find(head);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + head.size();
  const std::size_t end = text.find("):", begin);
  std::vector<std::string> names;
  std::string name;
  for (const char c : text.substr(begin, end - begin) + ",") {
    if (c == ',') {
      if (!name.empty()) names.push_back(std::exchange(name, {}));
    } else if (c != ' ' && c != '\n') {
      name += c;
    }
  }
  return names;
}

}  // namespace robust_kbench
