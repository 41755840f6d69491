#include "core/path_words.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

std::vector<std::string> paths_in(const std::vector<std::string>& words, PathWord::Kind kind) {
  std::vector<std::string> paths;
  for (const PathWord& found : path_words(words)) {
    if (found.kind == kind) paths.push_back(words[found.word].substr(found.offset));
  }
  return paths;
}

TEST(PathWords, FindsPathsWithTheirOptionsAndApartFromThem) {
  const std::vector<std::string> words{
      "-O3", "-I/a",          "-isystem", "/b c",       "-include", "d.h", "-L/e",
      "-lm", "-Wl,-rpath,/f", "g.o",      "-Wl,-z,now", "/h.so",    "-I"};
  EXPECT_THAT(paths_in(words, PathWord::Kind::include), ElementsAre("/a", "/b c", "d.h"));
  EXPECT_THAT(paths_in(words, PathWord::Kind::library_directory), ElementsAre("/e", "/f"));
  EXPECT_THAT(paths_in(words, PathWord::Kind::file), ElementsAre("g.o", "/h.so"));
}

TEST(PathWords, MakesExistingPathsAbsolute) {
  const fs::path before = fs::current_path();
  const fs::path here = fs::path(testing::TempDir()) / "path words";
  fs::create_directories(here / "include");
  std::ofstream(here / "libone.so") << "";
  fs::current_path(here);
  EXPECT_THAT(with_absolute_paths({"-Iinclude", "-I", "include", "-Inowhere", "libone.so", "-lone",
                                   "-include", "vector", "/include", "-L."}),
              ElementsAre("-I" + (here / "include").string(), "-I", (here / "include").string(),
                          "-Inowhere", (here / "libone.so").string(), "-lone", "-include", "vector",
                          "/include", "-L" + (here / ".").string()));
  fs::current_path(before);
  fs::remove_all(here);
}

}  // namespace
}  // namespace robust_kbench
