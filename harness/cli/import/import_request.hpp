#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace robust_kbench {

// The options of an import.
struct ImportRequest {
  std::vector<std::string> sources;  // files and directories
  std::string name;                  // of the task; empty: each source's own
  std::vector<std::string> configs;  // further ones, "batch_size=16"
  std::string device = "cpu";
  bool shrink = false;
  bool out_arguments = false;  // kernels are handed the tensors of their outputs
  std::string workloads;       // a file of sizes for a definition of flashinfer-bench; or empty
  double seconds = 0;          // that each source may take
};

// A source, and what its package would be.
struct ImportSource {
  std::string path;
  std::string name;
  nlohmann::json made_with;  // versions and hashes, which differ where the package would
};

// The outcome of a source.
struct ImportedSource {
  ImportSource source;
  std::filesystem::path package;  // empty: it was refused
  bool is_unchanged = false;      // imported before
  std::string reason;             // of a refusal
  std::string remedy;
  std::vector<std::string> notes;
  double seconds = 0;
};

}  // namespace robust_kbench
