#include "agent/cap_options.hpp"

#include "command/common_options.hpp"

namespace robust_kbench {

void add_cap_options(CommandLine& command, CapTexts& cap) {
  add_common_option(command, "--max-usd", cap.max_usd);
  add_common_option(command, "--max-tokens", cap.max_tokens);
  add_common_option(command, "--max-calls", cap.max_calls);
}

}  // namespace robust_kbench
