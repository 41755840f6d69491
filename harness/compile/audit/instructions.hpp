#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/audit/kernel_object.hpp"
#include "core/capability.hpp"
#include "process/command.hpp"

namespace robust_kbench {

// An instruction of the host that asks the operating system or reads a counter.
struct AskingInstruction {
  std::string_view mnemonic;  // as objdump writes it
  std::string_view operands;
  std::string_view bytes;  // that each encoding of it holds
  Capability capability;
};

// Runs a program that reads a kernel's files, enclosed as a compiler is. The program may write
// beside the object.
using EnclosedRun = std::function<CommandResult(const std::vector<std::string>& command)>;

// The instructions of this kind that an object's code holds. Code without their bytes is not
// disassembled. Throws HarnessError where it has to be, and binutils' objdump is missing or fails.
std::vector<const AskingInstruction*> asking_instructions(const KernelObject& object,
                                                          const EnclosedRun& run);

}  // namespace robust_kbench
