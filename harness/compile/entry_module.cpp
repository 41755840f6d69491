#include "compile/entry_module.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

#include "compile/quoted_headers.hpp"
#include "core/error.hpp"
#include "core/text_file.hpp"
#include "process/escape.hpp"
#include "source/kernel_module.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_candidates = 5;  // that a message names

// `function` is an expression, such as "&forward".
std::string module_text(const std::string& entry_point, const std::string& function) {
  return fmt::format("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{ m.def(\"{}\", {}); }}",
                     entry_point, function);
}

std::string or_the_plain_function(const std::string& entry_point) {
  return fmt::format(
      ", or define {}(...) and leave the registration out: of files without a module the function "
      "of that name is called, or the one that --entry names (ENTRY in CMake)",
      entry_point);
}

std::string refusal_of(const std::string& entry_point, const std::string& with_torch,
                       const std::string& with_python) {
  if (with_torch.empty() && with_python.empty()) return {};
  const std::string what =
      with_torch.empty()
          ? fmt::format(
                "the kernel is a Python module ({}), and no Python is in the process that "
                "calls it",
                with_python)
          : fmt::format(
                "the kernel registers operators with torch ({}), and not what is called here",
                with_torch);
  return what + "; write " + module_text(entry_point, "&" + entry_point) +
         or_the_plain_function(entry_point);
}

// The directions whose functions are exported. A kernel without a task may have either.
std::vector<std::string> wanted_functions(const KernelSource& kernel) {
  if (!kernel.entry_point.empty() || !kernel.entry.task.empty()) return {entry_point_of(kernel)};
  return {"forward", "backward"};
}

// A file's name between quotes has no escapes, so some characters are impossible.
void require_includable(const std::string& source) {
  if (source.find_first_of("\"\n") == std::string::npos) return;
  throw UserError("kernel source " + escaped(source) +
                  " has no module, and is included by its name to be given one; rename it without "
                  "\" and line ends, or write PYBIND11_MODULE");
}

}  // namespace

KernelModule::KernelModule(const KernelSource& kernel) : m_entry_point(entry_point_of(kernel)) {
  std::string with_torch;
  std::string with_python;
  for (const fs::path& file : quoted_files(kernel)) {
    const std::string text = read_text(file).value_or("");
    if (writes_module(text)) return;
    if (with_torch.empty()) with_torch = registration_with_torch(text);
    if (with_python.empty()) with_python = registration_with_python(text);
  }
  m_refusal = refusal_of(m_entry_point, with_torch, with_python);
  m_options = {"-include", "torch/extension.h"};
  if (kernel.device == Device::cuda) m_options.insert(m_options.end(), {"-include", "cuda.h"});

  const std::vector<std::string> wanted = wanted_functions(kernel);
  for (std::size_t i = 0; i < kernel.sources.size(); ++i) {
    std::string definitions;
    for (const std::string& name : wanted) {
      const auto functions = free_functions(read_text(kernel.sources[i]).value_or(""));
      if (std::ranges::find(functions, name, &FreeFunction::name) != functions.end()) {
        definitions += fmt::format(" m.def(\"{0}\", &{0});", name);
      }
      for (const FreeFunction& function : functions) {
        const bool known = std::ranges::find(m_candidates, function.name) != m_candidates.end();
        if (function.returns_tensors && !function.is_template && !known) {
          m_candidates.push_back(function.name);
        }
      }
    }
    if (definitions.empty() || m_made) continue;
    const std::string& source = kernel.sources[i];
    require_includable(source);
    m_made = {.source = i,
              .name = made_file_name(source, i),
              .text = fmt::format("#include \"{}\"\n#line 1 \"<the module made for {}>\"\n"
                                  "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{{} }}\n",
                                  fs::absolute(source).string(), fmt::join(wanted, " and "),
                                  definitions)};
  }
}

std::string made_file_name(const std::string& source, std::size_t index) {
  return "module_of_" + std::to_string(index) + fs::path(source).extension().string();
}

std::string KernelModule::what_is_missing() const {
  const std::string function = m_candidates.empty() ? m_entry_point : m_candidates.front();
  std::string text = fmt::format(
      "the kernel has no PYBIND11_MODULE, and no function '{}' that would be called without one",
      m_entry_point);
  if (!m_candidates.empty()) {
    const std::span shown =
        std::span(m_candidates).first(std::min(m_candidates.size(), most_candidates));
    text += fmt::format("; it defines '{}': give --entry {} (ENTRY in CMake)",
                        fmt::join(shown, "', '"), function);
  }
  return text + (m_candidates.empty() ? "; write " : ", or write ") +
         module_text(m_entry_point, "&" + function);
}

bool KernelModule::is_ambiguous(const std::string& reason) const {
  return m_made && reason.find("overloaded function") != std::string::npos &&
         reason.find("<the module made for ") != std::string::npos;
}

// The explanation comes first, since a table shows only the first lines.
std::string KernelModule::explained(const std::string& reason) const {
  std::string text;
  if (is_ambiguous(reason)) {
    const std::string overload =
        fmt::format("py::overload_cast<torch::Tensor>(&{})", m_entry_point);
    text += fmt::format(
        "The kernel has no PYBIND11_MODULE, and '{}' is a template, or several functions have that "
        "name, so that none can be chosen. Write one, as {}\n",
        m_entry_point, module_text(m_entry_point, overload));
  }
  if (reason.find("Python.h") != std::string::npos) {
    text +=
        "Python's headers are not there, since no Python is in the process that calls a kernel. "
        "Leave out what needs them; torch/extension.h has PYBIND11_MODULE and what it takes.\n";
  }
  return text + reason;
}

}  // namespace robust_kbench
