#include "compile/depfile.hpp"

#include "core/text_file.hpp"

namespace robust_kbench {

std::string prerequisites(const std::filesystem::path& rule_file, const std::string& left_out) {
  std::string rule = read_text(rule_file).value_or("");
  const std::size_t at_left_out = left_out.empty() ? std::string::npos : rule.find(" " + left_out);
  if (at_left_out != std::string::npos) rule.erase(at_left_out, left_out.size() + 1);
  for (std::size_t at = 0; (at = rule.find("\\\n", at)) != std::string::npos;) {
    rule.replace(at, 2, " ");
  }
  const std::size_t colon = rule.find(": ");
  if (colon == std::string::npos) return {};
  const std::size_t end = rule.find('\n', colon);
  return rule.substr(colon + 2, end == std::string::npos ? end : end - colon - 2);
}

std::vector<std::filesystem::path> prerequisite_files(const std::filesystem::path& rule_file) {
  std::vector<std::filesystem::path> files;
  std::string name;
  const std::string text = prerequisites(rule_file) + " ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      name += text[++i];
    } else if (text[i] != ' ') {
      name += text[i];
    } else if (!name.empty()) {
      files.emplace_back(std::move(name));
      name.clear();
    }
  }
  return files;
}

}  // namespace robust_kbench
