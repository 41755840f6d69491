#include "core/path_words.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

struct PathOption {
  std::string_view text;
  PathWord::Kind kind;
};

constexpr std::array path_options{
    PathOption{"-isystem", PathWord::Kind::include},
    PathOption{"-iquote", PathWord::Kind::include},
    PathOption{"-idirafter", PathWord::Kind::include},
    PathOption{"-include", PathWord::Kind::include},
    PathOption{"-imacros", PathWord::Kind::include},
    PathOption{"-I", PathWord::Kind::include},
    PathOption{"-L", PathWord::Kind::library_directory},
    PathOption{"-Wl,-rpath,", PathWord::Kind::library_directory},
    PathOption{"-Wl,-rpath=", PathWord::Kind::library_directory},
    PathOption{"-Xlinker=-rpath,", PathWord::Kind::library_directory},
};

std::optional<PathOption> option_of(std::string_view word) {
  for (const PathOption& option : path_options) {
    if (word.starts_with(option.text)) return option;
  }
  return std::nullopt;
}

}  // namespace

std::vector<PathWord> path_words(const std::vector<std::string>& words) {
  std::vector<PathWord> found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::optional<PathOption> option = option_of(words[i]);
    if (!option) {
      if (!words[i].starts_with('-')) found.push_back({i, 0, PathWord::Kind::file});
    } else if (words[i].size() > option->text.size()) {
      found.push_back({i, option->text.size(), option->kind});
    } else if (i + 1 < words.size()) {
      found.push_back({++i, 0, option->kind});
    }
  }
  return found;
}

std::vector<std::string> with_absolute_paths(std::vector<std::string> words) {
  for (const PathWord& found : path_words(words)) {
    std::string& word = words[found.word];
    const fs::path path = word.substr(found.offset);
    std::error_code ignored;
    if (path.is_relative() && fs::exists(path, ignored)) {
      word = word.substr(0, found.offset) + fs::absolute(path).string();
    }
  }
  return words;
}

}  // namespace robust_kbench
