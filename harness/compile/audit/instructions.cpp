#include "compile/audit/instructions.hpp"

#include <algorithm>
#include <sstream>

#include "compile/append.hpp"
#include "core/error.hpp"
#include "core/text_file.hpp"
#include "process/escape.hpp"

namespace robust_kbench {
namespace {

using namespace std::string_view_literals;

// Prefixes come before these bytes.
constexpr AskingInstruction asking[] = {
    {"syscall", "", "\x0f\x05"sv, Capability::system_calls},
    {"sysenter", "", "\x0f\x34"sv, Capability::system_calls},
    {"int", "$0x80", "\xcd\x80"sv, Capability::system_calls},
    {"rdtsc", "", "\x0f\x31"sv, Capability::clocks},
    {"rdtscp", "", "\x0f\x01\xf9"sv, Capability::clocks},
    {"rdpmc", "", "\x0f\x33"sv, Capability::clocks},
};

bool holds_bytes(std::string_view code, const AskingInstruction& instruction) {
  return code.find(instruction.bytes) != std::string_view::npos;
}

// The disassembly of an object's code, as objdump prints it with these options.
std::string disassembly(const KernelObject& object, const std::vector<std::string>& options,
                        const EnclosedRun& run) {
  const std::string text = object.path().string() + ".txt";
  std::vector<std::string> command{"sh", "-c", "to=$1; shift; exec objdump \"$@\" > \"$to\"", "sh",
                                   text};
  append(command, options);
  append(command, {"--no-show-raw-insn", object.path()});
  const CommandResult result = run(command);
  if (result.exit_code != 0) {
    throw HarnessError("objdump cannot disassemble a kernel's object: " + escaped(result.output) +
                       "; install binutils");
  }
  return read_text(text).value_or("");
}

// Whether a line such as "  1f:\tlock syscall" is this instruction.
bool is_line_of(const std::string& line, const AskingInstruction& instruction) {
  const std::size_t tab = line.find('\t');
  if (tab == std::string::npos) return false;
  std::istringstream words(line.substr(tab + 1));
  for (std::string word; words >> word;) {
    if (word != instruction.mnemonic) continue;
    return instruction.operands.empty() || (words >> word && word == instruction.operands);
  }
  return false;
}

}  // namespace

std::vector<const AskingInstruction*> asking_instructions(const KernelObject& object,
                                                          const EnclosedRun& run) {
  std::vector<const AskingInstruction*> wanted;
  std::vector<std::string> sections;  // with bytes of any
  for (const ElfSection& section : object.code()) {
    bool holds = false;
    for (const AskingInstruction& instruction : asking) {
      if (!holds_bytes(section.content, instruction)) continue;
      holds = true;
      wanted.push_back(&instruction);
    }
    if (holds) append(sections, {"-j", std::string(section.name)});
  }
  if (wanted.empty()) return {};
  // With -d each symbol begins an instruction. With -D data among code is disassembled, too.
  std::vector<std::string> everything{"-D"};
  append(everything, sections);
  std::istringstream lines(disassembly(object, {"-d"}, run) + disassembly(object, everything, run));
  std::vector<const AskingInstruction*> found;
  for (std::string line; std::getline(lines, line);) {
    for (const AskingInstruction* instruction : wanted) {
      if (!is_line_of(line, *instruction)) continue;
      if (std::ranges::find(found, instruction) == found.end()) found.push_back(instruction);
    }
  }
  return found;
}

}  // namespace robust_kbench
