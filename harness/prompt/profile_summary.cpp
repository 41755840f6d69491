#include "prompt/profile_summary.hpp"

#include <sstream>

#include "archive/call_row.hpp"
#include "prompt/prompt_data.hpp"

#include <fmt/format.h>

namespace robust_kbench {

std::vector<std::string> summarise_profile(ModelSession& session, Device device,
                                           const Candidate& kernel, const ModelChoice& choice) {
  const ModelReply reply = session.ask({.call = fmt::format("profile/{}", kernel.id),
                                        .stage = std::string(profile_stage),
                                        .proposal = kernel.id,
                                        .prompt = "summarise_profile",
                                        .data = profile_data(device, kernel.text, *kernel.profile)},
                                       choice);
  if (reply.answer.outcome != ModelOutcome::ok) return advice_texts(*kernel.profile, kernel.text);
  std::vector<std::string> texts;
  std::istringstream lines(reply.answer.text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) texts.push_back(line);
  }
  return texts;
}

}  // namespace robust_kbench
