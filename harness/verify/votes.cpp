#include "verify/votes.hpp"

#include <algorithm>

#include "process/escape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

json verdict_json(const Vote& vote) {
  if (!vote.verdict) return {{"abstention", vote.abstention}};
  return {{"valid", vote.verdict->valid},
          {"class", vote.verdict->error_class},
          {"reasons", vote.verdict->reasons},
          {"line", vote.verdict->line}};
}

std::string vote_text(const Vote& vote) {
  if (!vote.verdict) return "abstains: " + vote.abstention;
  std::string text = vote.verdict->valid ? "finds no error" : "finds an error";
  if (!vote.verdict->valid && !vote.verdict->error_class.empty()) {
    text += " (" + vote.verdict->error_class + ")";
  }
  if (vote.verdict->line > 0) text += fmt::format(" at line {}", vote.verdict->line);
  if (!vote.verdict->reasons.empty()) {
    text += fmt::format(": {}", fmt::join(vote.verdict->reasons, " "));
  }
  return text;
}

}  // namespace

std::optional<bool> Vote::said_valid() const {
  return verdict ? std::optional(verdict->valid) : std::nullopt;
}

double score(const Votes& votes) {
  double sum = 0;
  for (const auto& [verifier, vote] : votes) {
    sum += vote.verdict ? static_cast<double>(vote.verdict->valid) : 0.5;
  }
  return sum;
}

bool has_majority(const Votes& votes) {
  return 2 * score(votes) > static_cast<double>(votes.size());
}

nlohmann::json votes_json(const Votes& votes) {
  json all = json::object();
  for (const auto& [verifier, vote] : votes) {
    all[std::string(to_string(verifier))] =
        vote.verdict ? json(static_cast<int>(vote.verdict->valid)) : json();
  }
  return all;
}

nlohmann::json verdicts_json(const Votes& votes) {
  json all = json::object();
  for (const auto& [verifier, vote] : votes) {
    all[std::string(to_string(verifier))] = verdict_json(vote);
  }
  return all;
}

std::string to_text(const Votes& votes) {
  std::string text;
  for (const auto& [verifier, vote] : votes) {
    text += fmt::format("  {:<12} {}\n", to_string(verifier), escaped_line(vote_text(vote)));
  }
  return text;
}

}  // namespace robust_kbench
