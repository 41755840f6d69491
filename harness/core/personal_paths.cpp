#include "core/personal_paths.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

namespace robust_kbench {
namespace {

// The usual parent directories of people's files. Paths of compilers and of the system do not
// identify a person.
constexpr std::array<std::string_view, 16> personal_directories{
    "/home/", "/root/", "/tmp/",     "/var/",    "/mnt/",   "/media/",   "/opt/", "/srv/",
    "/data/", "/work/", "/scratch/", "/builds/", "/Users/", "/private/", "/nfs/", "/workspace/"};

// Their content is the same on many machines, so their paths do not identify a person.
constexpr std::array<std::string_view, 13> system_directories{
    "bin",    "boot", "dev",  "etc", "lib",  "lib32", "lib64",
    "libx32", "proc", "sbin", "sys", "snap", "usr"};

// Entries of directories with these names are usually called like a person.
constexpr std::array<std::string_view, 4> directories_of_homes{"home", "homes", "users", "Users"};

constexpr std::size_t shortest_name = 3;  // a slash and a shorter name may be a division
constexpr std::string_view no_person = "root";

template <typename Texts>
bool contains(const Texts& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;  // a byte of UTF-8
}

// The length of the text's prefix of characters that paths have, without spaces.
std::size_t token_size(std::string_view text, std::string_view further = "") {
  const auto end = std::find_if(text.begin(), text.end(), [&](char c) {
    return !begins_word(c) && std::string_view("/.+-@%~").find(c) == std::string_view::npos &&
           further.find(c) == std::string_view::npos;
  });
  return static_cast<std::size_t>(end - text.begin());
}

// The length of the text after a part of a path that still belongs to the path. It is an escaped
// space with the following word, or all words up to one that contains a slash.
std::size_t continued_size(std::string_view text) {
  if (text.starts_with("\\ ")) return 2 + token_size(text.substr(2));
  std::size_t size = 0;
  while (size + 1 < text.size() && text[size] == ' ' && begins_word(text[size + 1])) {
    const std::string_view word = text.substr(size + 1, token_size(text.substr(size + 1)));
    size += 1 + word.size();
    if (word.find('/') != std::string_view::npos) return size;
    if (word.ends_with('.')) break;
  }
  return 0;
}

// The length of the path that the text begins with. Its first `known` characters belong to the path
// in any case. A path between quotes may contain spaces.
std::size_t path_size(std::string_view text, std::size_t known, char before) {
  if (before == '"' || before == '\'') {
    const std::size_t quoted = known + token_size(text.substr(known), " ");
    if (quoted < text.size() && text[quoted] == before) return quoted;
  }
  std::size_t size = known + token_size(text.substr(known));
  while (text[size - 1] != '.') {
    const std::size_t more = continued_size(text.substr(size));
    if (more == 0) break;
    size += more;
  }
  while (size > known && text[size - 1] == '.') --size;  // it ends a sentence
  return size;
}

}  // namespace

PersonalPaths::PersonalPaths(std::vector<std::string> directories, std::vector<std::string> people,
                             std::vector<std::string> places)
    : m_directories(std::move(directories)),
      m_people(std::move(people)),
      m_places(std::move(places)) {
  m_places.insert(m_places.end(), personal_directories.begin(), personal_directories.end());
  for (std::string& path : m_directories) path.resize(path.find_last_not_of('/') + 1);
  std::erase_if(m_directories, [](const std::string& path) { return !path.starts_with('/'); });
  std::erase_if(m_people, [](const std::string& name) {
    return name.size() < shortest_name || name == no_person;
  });
}

// The length of the longest of our directories that the text begins with, or 0.
std::size_t PersonalPaths::directory_size(std::string_view text) const {
  std::size_t size = 0;
  for (const std::string& path : m_directories) {
    if (path.size() <= size || !text.starts_with(path)) continue;
    if (text.size() > path.size() && (begins_word(text[path.size()]) || text[path.size()] == '-')) {
      continue;  // it is only the beginning of another name
    }
    size = path.size();
  }
  return size;
}

bool PersonalPaths::is_person(std::string_view name) const {
  return contains(m_people, name);
}

bool PersonalPaths::has_person(std::string_view path) const {
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    if (is_person(part)) return true;
    path.remove_prefix(std::min(path.size(), part.size() + 1));
  }
  return false;
}

bool PersonalPaths::lies_in_a_place(std::string_view path) const {
  return std::any_of(m_places.begin(), m_places.end(),
                     [&](const std::string& place) { return path.starts_with(place); });
}

std::string_view PersonalPaths::at(std::string_view text, std::size_t begin) const {
  const char before = begin == 0 ? '\0' : text[begin - 1];
  text.remove_prefix(begin);
  if (text.front() == '/') {
    const std::size_t known = directory_size(text);
    const std::string_view path = text.substr(0, path_size(text, known, before));
    return known > 0 || lies_in_a_place(path) || has_person(path) ? path : std::string_view();
  }
  // In sources, "~/" before a word only occurs in comments.
  if (text.size() > 2 && text.starts_with("~/") && begins_word(text[2])) {
    return text.substr(0, path_size(text, 2, before));
  }
  // A relative path may begin with a person's name.
  const bool begins = std::any_of(m_people.begin(), m_people.end(), [&](const std::string& name) {
    return text.starts_with(name) && text.substr(name.size()).starts_with('/');
  });
  return begins ? text.substr(0, path_size(text, 0, before)) : std::string_view();
}

std::string PersonalPaths::shown(std::string_view path) const {
  const std::size_t end = path.find_last_not_of('/') + 1;
  const std::string_view slashes = path.substr(end);
  path = path.substr(0, end);
  const std::size_t last = path.rfind('/') + 1;  // 0 where there is none
  const std::string_view above = path.substr(0, last == 0 ? 0 : last - 1);
  const bool is_home = contains(directories_of_homes, above.substr(above.rfind('/') + 1));
  const bool tells = is_home || contains(m_directories, path) || is_person(path.substr(last));
  return (tells ? "..." : ".../" + std::string(path.substr(last))) + std::string(slashes);
}

std::vector<std::string> places_of_this_machine() {
  std::vector<std::string> places;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/", ignored)) {
    const std::string name = entry.path().filename();
    if (!contains(system_directories, name)) places.push_back("/" + name + "/");
  }
  return places;
}

}  // namespace robust_kbench
