#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/device.hpp"

namespace robust_kbench {

// A kernel as a language model proposes it. All of it is untrusted text.
struct KernelAnswer {
  std::string name;         // [a-z0-9_]{1,48}; empty: none was given
  std::string description;  // may be empty
  std::string strategy;     // one line, may be empty
  std::string code;         // the whole source
};

struct ParsedKernelAnswer {
  std::optional<KernelAnswer> kernel;
  std::string reason;  // why the answer was refused, for people and for a repair; empty: it was not
};

// Reads the answer to a prompt that asks for a kernel (docs/prompts.md). Its elements count first.
// An answer without any may have one fenced block with PYBIND11_MODULE instead. `mark` is that of
// the prompt, and text that the answer repeats of it does not count.
ParsedKernelAnswer parse_kernel_answer(std::string_view answer, Device device,
                                       std::string_view mark);

// Whether an answer to such a prompt has something like a source, so that it can be mended.
bool has_module(std::string_view answer, std::string_view mark);

// Whether a text can be the name of a proposed kernel: 1 to 48 characters out of a-z, 0-9 and '_'.
bool is_answer_name(std::string_view name);

}  // namespace robust_kbench
