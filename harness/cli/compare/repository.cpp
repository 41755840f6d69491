#include "cli/compare/repository.hpp"

#include <set>
#include <vector>

#include "compile/quoted_headers.hpp"
#include "core/error.hpp"
#include "core/text_file.hpp"
#include "process/command.hpp"
#include "process/escape.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes time_limit{10};  // for a large repository on a slow disk

CommandResult git(const fs::path& directory, const std::vector<std::string>& arguments,
                  const std::string& index = {}) {
  std::vector<std::string> command{"/usr/bin/env"};
  if (!index.empty()) command.push_back("GIT_INDEX_FILE=" + index);
  command.insert(command.end(), {"git", "-C", directory.string()});
  command.insert(command.end(), arguments.begin(), arguments.end());
  CommandResult result = run_command(command, time_limit);
  while (result.output.ends_with('\n')) result.output.pop_back();
  return result;
}

// The output of a command of git that succeeds.
std::string output_of_git(const fs::path& directory, const std::vector<std::string>& arguments,
                          const std::string& index = {}) {
  const CommandResult result = git(directory, arguments, index);
  if (result.exit_code == 0) return result.output;
  throw UserError("git " + arguments.front() + " failed in " + directory.string() + ": " +
                  escaped(result.output));
}

fs::path resolved(const fs::path& path) {
  std::error_code ignored;
  return fs::weakly_canonical(path, ignored);
}

// The path from `top`, or nothing for one outside of it.
std::optional<fs::path> path_inside(const fs::path& path, const fs::path& top) {
  const fs::path inside = resolved(path).lexically_relative(top);
  if (inside.empty() || *inside.begin() == "..") return std::nullopt;
  return inside;
}

fs::path top_around(const fs::path& file) {
  const CommandResult result = git(resolved(file).parent_path(), {"rev-parse", "--show-toplevel"});
  if (result.exit_code == 0) return resolved(result.output);
  throw UserError(file.string() +
                  " is in no git repository, so it has no revisions: " + escaped(result.output));
}

}  // namespace

Repository::Repository(const fs::path& file) : m_top(top_around(file)) {}

bool Repository::holds(const KernelSource& kernel) const {
  return path_inside(kernel.sources.front(), m_top).has_value();
}

std::string Repository::commit(const std::string& revision) const {
  const CommandResult result =
      git(m_top, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (result.exit_code == 0) return result.output;
  throw UserError(revision + " is neither a file nor an archive, and no revision of " +
                  m_top.string() + "; a shallow clone has few revisions, `git fetch` gets more");
}

KernelsAt::KernelsAt(const Repository& repository) : m_repository(repository) {}

KernelsAt::KernelsAt(const Repository& repository, const std::string& revision)
    : m_repository(repository) {
  const std::string commit = repository.commit(revision);
  m_directory.emplace("revision");
  // An index of its own leaves that of the repository alone.
  const std::string index = m_directory->path() / "index";
  output_of_git(repository.top(), {"read-tree", commit}, index);
  output_of_git(repository.top(),
                {"checkout-index", "--all", "--quiet", "--prefix=" + tree().string() + "/"}, index);
}

fs::path KernelsAt::tree() const {
  return m_directory ? resolved(m_directory->path()) / "tree" : m_repository.top();
}

std::string KernelsAt::moved(const std::string& path) const {
  const std::optional<fs::path> inside = path_inside(path, m_repository.top());
  return inside ? (tree() / *inside).string() : path;
}

std::optional<KernelSource> KernelsAt::kernel(const KernelSource& of_build) const {
  KernelSource kernel = of_build;
  kernel.record.clear();
  kernel.library.clear();
  for (std::string& source : kernel.sources) {
    source = moved(source);
    if (!fs::is_regular_file(source)) return std::nullopt;
  }
  const auto move_known = [&](std::string& path) {
    if (const std::string other = moved(path); fs::exists(other)) path = other;
  };
  for (std::string& directory : kernel.include_directories) move_known(directory);
  for (std::string& library : kernel.libraries) {
    if (library.starts_with('/')) move_known(library);
  }
  if (!kernel.named_in.empty()) move_known(kernel.named_in);
  return kernel;
}

std::string KernelsAt::texts_of(const KernelSource& kernel) const {
  std::set<fs::path> headers;
  for (const std::string& directory : kernel.include_directories) {
    if (!path_inside(directory, tree())) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
      if (entry.is_regular_file()) headers.insert(entry.path());
    }
  }
  std::string texts = quoted_text(kernel);
  for (const fs::path& header : headers) texts += read_text(header).value_or("");
  return texts;
}

}  // namespace robust_kbench
