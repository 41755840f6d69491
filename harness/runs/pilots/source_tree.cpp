#include "runs/pilots/source_tree.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"
#include "core/version.hpp"

#include <fmt/format.h>

namespace robust_kbench {

namespace fs = std::filesystem;

namespace {

// Adds the names and hashes of all files of a directory, by paths below it.
void add_files(const fs::path& directory, const std::string& called, std::set<std::string>& lines) {
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(directory, error)) {
    if (!entry.is_regular_file()) continue;
    const std::string below = fs::relative(entry.path(), directory).generic_string();
    lines.insert(
        fmt::format("{}/{} {}", called, below, sha256(read_text(entry.path()).value_or(""))));
  }
}

fs::path common_root(const fs::path& a, const fs::path& b) {
  fs::path root;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j) {
    root /= *i;
  }
  return root;
}

}  // namespace

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty() || from == to) return;
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string source_tree_digest(const Manifest& manifest) {
  const fs::path commit = fs::path(manifest.path).parent_path() / "commit";
  std::set<std::string> lines{"version " + rkb_version(),
                              "commit " + read_text(commit).value_or("")};
  add_files(manifest.toolchain.kernel_include, "include", lines);
  for (const TaskDirectory& task : manifest.tasks) add_files(task.directory, task.name, lines);
  for (const KernelSource& kernel : manifest.kernels) {
    for (const std::string& source : kernel.sources) {
      lines.insert(fmt::format("{} {} {} {}", kernel.entry.name(), kernel.name,
                               fs::path(source).filename().string(),
                               sha256(read_text(source).value_or(""))));
    }
  }
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return sha256(all);
}

fs::path source_root(const Manifest& manifest) {
  fs::path root = manifest.toolchain.kernel_include;
  for (const TaskDirectory& task : manifest.tasks) root = common_root(root, task.directory);
  return root;
}

MovedSources::MovedSources(const Manifest& manifest, fs::path theirs, fs::path work)
    : m_manifest(manifest),
      m_theirs(std::move(theirs)),
      m_ours(source_root(manifest)),
      m_work(std::move(work)) {}

std::string MovedSources::moved(const std::string& path) const {
  const fs::path below = fs::path(path).lexically_relative(m_theirs);
  const bool is_below = !below.empty() && *below.begin() != "..";
  return is_below ? (m_ours / below).lexically_normal().string() : path;
}

fs::path MovedSources::source_of(const Candidate& candidate) const {
  return m_work / candidate.hash / fs::path(candidate.kernel.sources.front()).filename();
}

Candidate MovedSources::here(const Candidate& candidate) const {
  Candidate here = candidate;
  KernelSource& kernel = here.kernel;
  if (!kernel.record.empty()) {
    for (const KernelSource& known : m_manifest.kernels_of(kernel.entry, kernel.device)) {
      if (known.name != kernel.name) continue;
      kernel = known;
      return here;
    }
    throw HarnessError(fmt::format("this build has no kernel {} of {}; build the same tree here",
                                   kernel.name, kernel.entry.name()));
  }
  for (std::vector<std::string>* paths :
       {&kernel.sources, &kernel.include_directories, &kernel.libraries}) {
    std::ranges::transform(*paths, paths->begin(), [this](auto& path) { return moved(path); });
  }
  // A file of the tree may lie beside headers of its own.
  const fs::path beside = fs::path(kernel.sources.front()).parent_path();
  if (fs::exists(beside)) kernel.include_directories.push_back(beside);
  kernel.sources.front() = source_of(candidate);
  OutputFile(kernel.sources.front()).write(candidate.text);
  for (const std::string& source : kernel.sources) {
    if (fs::exists(source)) continue;
    throw HarnessError(
        fmt::format("the further source {} is not on this machine; put it into the "
                    "source tree, or where all machines see it",
                    source));
  }
  return here;
}

std::string MovedSources::theirs(std::string text, const Candidate& candidate) const {
  replace_all(text, source_of(candidate).string(), candidate.kernel.sources.front());
  replace_all(text, m_ours.string() + "/", m_theirs.string() + "/");
  return text;
}

}  // namespace robust_kbench
