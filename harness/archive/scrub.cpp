#include "archive/scrub.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace robust_kbench {
namespace {

// People's files usually lie in these. Paths of compilers and of the system tell nothing of them.
constexpr std::array<std::string_view, 15> personal_directories{
    "/home/", "/root/", "/tmp/",     "/var/",    "/mnt/",   "/media/",   "/opt/", "/srv/",
    "/data/", "/work/", "/scratch/", "/builds/", "/Users/", "/private/", "/nfs/"};

// How the keys of well-known endpoints begin.
constexpr std::array<std::string_view, 9> key_beginnings{
    "sk-", "sk_", "AIza", "gsk_", "xai-", "hf_", "ghp_", "github_pat_", "AKIA"};

constexpr std::size_t shortest_key = 20;
constexpr std::size_t shortest_secret = 8;
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

bool begins_with_any(std::string_view text, const auto& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const auto& beginning) { return text.starts_with(beginning); });
}

bool is_key(std::string_view word) {
  return word.size() >= shortest_key && begins_with_any(word, key_beginnings);
}

bool is_mark(std::string_view word) {
  return word.size() >= shortest_mark && std::all_of(word.begin(), word.end(), is_hexadecimal);
}

void replace_all(std::string& text, const std::string& what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), with);
    at += with.size();
  }
}

bool names_a_key(std::string_view variable) {
  return variable.ends_with("_KEY") || variable.ends_with("_TOKEN") ||
         variable.ends_with("_SECRET");
}

}  // namespace

Scrubber::Scrubber(std::vector<std::string> directories, std::vector<std::string> secrets)
    : m_directories(std::move(directories)), m_secrets(std::move(secrets)) {
  std::erase_if(m_directories, [](const std::string& path) { return path.size() < 2; });
  for (std::string& path : m_directories) {
    if (path.back() != '/') path += '/';
  }
  std::erase_if(m_secrets, [](const std::string& text) { return text.size() < shortest_secret; });
}

std::string Scrubber::scrubbed(std::string_view text) const {
  std::string rest(text);
  for (const std::string& secret : m_secrets) replace_all(rest, secret, "[key]");
  text = rest;
  std::string result;
  while (!text.empty()) {
    std::string_view part = text.substr(0, 1);
    if (begins_with_any(text, personal_directories) || begins_with_any(text, m_directories)) {
      part = word_at(text, "/.+-@%~");
      const std::size_t last = part.find_last_of('/', part.find_last_not_of('/'));
      result += ".../";
      result += part.substr(last + 1);
    } else if (is_word(text.front())) {
      part = word_at(text, "");
      const std::string_view with_dashes = word_at(text, "-");
      if (is_key(with_dashes)) part = with_dashes;
      result += is_key(with_dashes) ? "[key]" : is_mark(part) ? "[mark]" : part;
    } else {
      result += part;
    }
    text.remove_prefix(part.size());
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

Scrubber usual_scrubber(const std::string& archive_directory) {
  std::vector<std::string> directories{archive_directory};
  if (const char* home = std::getenv("HOME")) directories.emplace_back(home);
  std::vector<std::string> secrets;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const std::size_t end = variable.find('=');
    if (end == std::string_view::npos || !names_a_key(variable.substr(0, end))) continue;
    secrets.emplace_back(variable.substr(end + 1));
  }
  return {std::move(directories), std::move(secrets)};
}

}  // namespace robust_kbench
