#pragma once

#include <filesystem>
#include <string>

#include "core/manifest.hpp"
#include "prompt/candidate.hpp"

namespace robust_kbench {

// SHA-256 of what decides how a build judges kernels. That is its commit and its version, the
// headers that kernels include, and the files of its tasks and kernels. Equal trees at other paths
// are equal.
std::string source_tree_digest(const Manifest& manifest);

// The directory that a build's tasks and headers have in common. It is another on a machine that
// has the tree elsewhere.
std::filesystem::path source_root(const Manifest& manifest);

// Replaces each `from` in the text, unless that is empty.
void replace_all(std::string& text, const std::string& from, const std::string& to);

// Makes kernels of another machine's build kernels of this one, whose tree is the same but may be
// elsewhere.
class MovedSources {
 public:
  // `theirs` is source_root() there. Sources are written below `work`. `manifest` outlives this
  // object.
  MovedSources(const Manifest& manifest, std::filesystem::path theirs, std::filesystem::path work);

  // Writes the candidate's source. A kernel of their suite is the one of this build. Throws
  // HarnessError where this build has none, or a further file is missing here.
  [[nodiscard]] Candidate here(const Candidate& candidate) const;
  // Names their paths in a text in place of this machine's.
  [[nodiscard]] std::string theirs(std::string text, const Candidate& candidate) const;

 private:
  [[nodiscard]] std::string moved(const std::string& path) const;
  [[nodiscard]] std::filesystem::path source_of(const Candidate& candidate) const;

  const Manifest& m_manifest;
  const std::filesystem::path m_theirs;
  const std::filesystem::path m_ours;
  const std::filesystem::path m_work;
};

}  // namespace robust_kbench
