#include "core/own_command.hpp"

#include <algorithm>
#include <iterator>

#include "core/own_words.hpp"
#include "core/shell_word.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* name = "rkb";

std::string program() {
  std::error_code none;
  const fs::path own = fs::read_symlink("/proc/self/exe", none);
  const fs::path beside = own.parent_path() / name;
  return !none && fs::is_regular_file(beside, none) ? beside.string() : name;
}

// Set once, before there are other threads.
std::string& manifest_words() {
  static std::string words;
  return words;
}

}  // namespace

std::string own_command() {
  return shell_word(program()) + manifest_words();
}

std::string own_command_line(const std::vector<std::string>& left_out) {
  std::vector<std::string> words = own_words();
  for (const std::string& word : left_out) {
    const auto last = std::find(words.rbegin(), words.rend(), word);
    if (last != words.rend()) words.erase(std::next(last).base());
  }
  // The line begins with cd, since options and their values may be relative paths.
  std::string line = "cd " + path_word(fs::current_path()) + " && " + shell_word(program());
  for (const std::string& word : words) line += " " + shell_word(word);
  return line;
}

void name_manifest_in_commands(const fs::path& manifest) {
  manifest_words() = " --manifest " + path_word(manifest);
}

std::string path_word(const fs::path& path) {
  return shell_word(fs::absolute(path).lexically_normal().string());
}

}  // namespace robust_kbench
