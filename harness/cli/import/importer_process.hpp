#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/import/import_request.hpp"
#include "cli/import/importer_program.hpp"
#include "core/manifest.hpp"

namespace robust_kbench {

// The end of a run of the importer.
struct ImporterEnd {
  int exit_code = 0;  // 128 + signal when killed
  bool timed_out = false;
  std::string errors;  // the end of what it printed beside its answers

  // Returns the last line of its errors, which names the error of Python.
  [[nodiscard]] std::string last_line() const;
  // Returns how it ended, to follow "it ended the importer: ".
  [[nodiscard]] std::string text() const;
};

// Starts the importer's Python in a sandbox without network. It sees the sources, Python, torch and
// the compiler that torch.compile calls, and writes in `scratch` alone.
class ImporterProcess {
 public:
  // Throws UserError where there is no importer, or no Python.
  ImporterProcess(const ImporterProgram& program, const Toolchain& toolchain,
                  const ImportRequest& request, std::filesystem::path scratch);

  // Runs Python with these arguments to its end, and hands over each line of its output as it
  // comes. Python is killed where no line comes within the limit. Throws Cancelled where `stop` is
  // requested.
  ImporterEnd run(const std::vector<std::string>& arguments, std::chrono::milliseconds line_limit,
                  const std::function<void(const std::string&)>& on_line,
                  const std::stop_token& stop) const;

  // Tells a Python without torch from a source that ends Python. Throws UserError for the former.
  void require_torch(const std::stop_token& stop) const;

  [[nodiscard]] const std::string& python() const { return m_python; }
  // Makes a Python that can import torch.
  [[nodiscard]] std::string remedy() const;

 private:
  const ImporterProgram& m_program;
  const Toolchain& m_toolchain;
  const ImportRequest& m_request;
  std::filesystem::path m_scratch;
  std::string m_python;
};

}  // namespace robust_kbench
