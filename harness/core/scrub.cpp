#include "core/scrub.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <pwd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace robust_kbench {
namespace {

// The prefixes of the keys of well-known endpoints.
constexpr std::array<std::string_view, 9> key_beginnings{
    "sk-", "sk_", "AIza", "gsk_", "xai-", "hf_", "ghp_", "github_pat_", "AKIA"};

constexpr std::size_t shortest_key = 20;
constexpr std::size_t shortest_mark = 24;  // hexadecimal digits; no number in a source has as many

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_hexadecimal(char c) {
  return (c >= 'a' && c <= 'f') || (c >= '0' && c <= '9');
}

std::string_view word_at(std::string_view text, std::string_view further) {
  const auto end = std::find_if(text.begin(), text.end(), [&](char c) {
    return !is_word(c) && further.find(c) == std::string_view::npos;
  });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

bool is_key(std::string_view word) {
  return word.size() >= shortest_key &&
         std::any_of(key_beginnings.begin(), key_beginnings.end(),
                     [&](std::string_view beginning) { return word.starts_with(beginning); });
}

// Digits alone are almost never a mark, but often the decimals of a constant.
bool is_mark(std::string_view word) {
  return word.size() >= shortest_mark && std::all_of(word.begin(), word.end(), is_hexadecimal) &&
         word.find_first_not_of("0123456789") != std::string_view::npos;
}

std::vector<std::string> without_short_ones(std::vector<std::string> secrets) {
  std::erase_if(secrets, [](const std::string& text) { return text.size() < shortest_secret; });
  return secrets;
}

void add_variable(std::vector<std::string>& values, const char* name) {
  if (const char* value = std::getenv(name)) values.emplace_back(value);
}

}  // namespace

Scrubber::Scrubber(PersonalPaths paths, std::vector<std::string> secrets)
    : m_paths(std::move(paths)), m_secrets(without_short_ones(std::move(secrets))) {}

std::string Scrubber::scrubbed(std::string_view given) const {
  const std::string text = m_secrets.without_keys(given);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    std::string_view part = rest.substr(0, 1);
    if (const std::string_view path = m_paths.at(text, at); !path.empty()) {
      part = path;
      result += m_paths.shown(path);
    } else if (is_word(rest.front())) {
      part = word_at(rest, "");
      const std::string_view with_dashes = word_at(rest, "-");
      if (is_key(with_dashes)) part = with_dashes;
      result += is_key(with_dashes) ? "[key]" : is_mark(part) ? "[mark]" : part;
    } else {
      result += part;
    }
    at += part.size();
  }
  return result;
}

nlohmann::json Scrubber::scrubbed(const nlohmann::json& value) const {
  if (value.is_string()) return scrubbed(std::string_view(value.get_ref<const std::string&>()));
  nlohmann::json result = value;
  if (!value.is_structured()) return result;
  for (auto& item : result) item = scrubbed(item);
  return result;
}

Scrubber usual_scrubber(const std::filesystem::path& archive, std::vector<std::string> further) {
  std::vector<std::string> directories = std::move(further);
  directories.push_back(std::filesystem::absolute(archive));
  std::error_code ignored;
  directories.push_back(std::filesystem::current_path(ignored));
  directories.push_back(std::filesystem::temp_directory_path(ignored));
  add_variable(directories, "HOME");
  std::vector<std::string> people;
  add_variable(people, "USER");
  add_variable(people, "LOGNAME");
  if (const passwd* user = getpwuid(geteuid())) {
    directories.emplace_back(user->pw_dir);
    people.emplace_back(user->pw_name);
  }
  std::vector<std::string> secrets;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const std::size_t end = variable.find('=');
    if (end == std::string_view::npos || !names_a_key(variable.substr(0, end))) continue;
    secrets.emplace_back(variable.substr(end + 1));
  }
  return {PersonalPaths(std::move(directories), std::move(people), places_of_this_machine()),
          std::move(secrets)};
}

}  // namespace robust_kbench
