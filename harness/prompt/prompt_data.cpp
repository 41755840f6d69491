#include "prompt/prompt_data.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "core/kernel_places.hpp"
#include "source/comments.hpp"
#include "source/frozen_regions.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

// The most tried strategies in a prompt. Older ones tell less, and prompts cost by length.
constexpr std::size_t most_tried = 40;

// The parent and the fastest others, from the slowest to the fastest.
std::vector<const Candidate*> shown_kernels(const ProposalContext& context) {
  std::vector<const Candidate*> kernels;
  for (const Candidate* other : context.request.context) {
    if (other->id != context.request.parent.id) kernels.push_back(other);
  }
  std::ranges::stable_sort(kernels, {}, &Candidate::cost);
  kernels.resize(std::min(kernels.size(), std::max<std::size_t>(context.shown, 1) - 1));
  kernels.insert(kernels.begin(), &context.request.parent);
  std::ranges::stable_sort(kernels, {}, &Candidate::cost);
  std::ranges::reverse(kernels);
  return kernels;
}

json kernels_data(const ProposalContext& context) {
  json data = json::array();
  for (const Candidate* kernel : shown_kernels(context)) {
    const bool is_example = context.example && kernel->text == context.example->text;
    data.push_back({{"idea", kernel->name},
                    {"speedup", 1 / kernel->cost},
                    {"code", is_example ? json() : json(kernel->text)},
                    {"to_beat", kernel->id == context.request.parent.id}});
  }
  return data;
}

json headers_data(const ProposalContext& context) {
  std::vector<std::string> texts;
  for (const Candidate* kernel : shown_kernels(context)) texts.push_back(kernel->text);
  json data = json::array();
  for (const LocalHeader& header : included_headers(context.headers, std::move(texts))) {
    data.push_back({{"name", header.name}, {"code", header.text}});
  }
  return data;
}

// The text "Line 25: `for (...)`" for each line of the source that the advice is about.
std::string quoted_lines(const Advice& advice, const std::string& source) {
  std::set<int> numbers;
  for (const ToolFinding& finding : advice.because) {
    if (finding.where.line > 0 && !is_header(finding.where.file))
      numbers.insert(finding.where.line);
  }
  std::istringstream lines(source);
  std::string line;
  std::string quoted;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (!numbers.contains(number)) continue;
    line.erase(0, line.find_first_not_of(" \t"));
    quoted += fmt::format("\n   Line {}: `{}`", number, line);
  }
  return quoted;
}

json timings_data(const std::vector<ConfigTimingRecord>& timings) {
  json data = json::array();
  for (const ConfigTimingRecord& timing : timings) {
    const TimingRecord* kernel = timing.find("kernel");
    if (kernel == nullptr) continue;
    data.push_back({{"config", timing.config},
                    {"us", kernel->median_us},
                    {"least_us", timing.roofline ? json(timing.roofline->us) : json()},
                    {"bound", timing.roofline ? timing.roofline->bound : ""}});
  }
  return data;
}

json tried_data(const std::vector<TriedStrategy>& tried) {
  json data = json::array();
  const std::size_t first = tried.size() - std::min(tried.size(), most_tried);
  for (std::size_t i = first; i < tried.size(); ++i) {
    const TriedStrategy& strategy = tried[i];
    data.push_back({{"strategy", strategy.strategy},
                    {"outcome", strategy.outcome},
                    {"reason", text_or_null(strategy.reason)},
                    {"speedup", strategy.speedup ? json(*strategy.speedup) : json()}});
  }
  return data;
}

json earlier_answer_data(const std::optional<FailedProposal>& earlier) {
  if (!earlier) return {};
  return {{"text", earlier->text}, {"reason", earlier->error}};
}

json example_data(const StartingSource& example) {
  const char* const plain =
      "Loops in the order of the definition, over raw pointers. Sums are made in float32.";
  const char* const skeleton = "The arguments and the binding, without the work.";
  return {{"name", example.is_plain ? "plain_loops" : "skeleton"},
          {"description", example.is_plain ? plain : skeleton},
          {"strategy", "It follows the definition, so that it is easy to see that it is right."},
          {"code", example.text}};
}

}  // namespace

nlohmann::json text_or_null(const std::string& text) {
  return text.empty() ? json() : json(text);
}

nlohmann::json proposal_data(const PromptSubject& subject, const ProposalContext& context) {
  return {{"contract", contract_data(subject_beside(context.request.parent.kernel, subject))},
          {"example", context.example ? example_data(*context.example) : json()},
          {"timings", timings_data(context.request.parent.timings)},
          {"speedup_over", "the kernel that this search began with"},
          {"kernels", kernels_data(context)},
          {"headers", headers_data(context)},
          {"frozen", !frozen_regions(context.request.parent.text).empty()},
          {"advice", context.advice},
          {"tried", tried_data(context.request.tried)},
          {"earlier_answer", earlier_answer_data(context.earlier_answer)},
          {"recommendations", context.recommendations}};
}

nlohmann::json repair_data(const PromptSubject& subject, const FailedProposal& failed) {
  return {{"contract", contract_data(subject)},
          {"text", failed.text},
          {"frozen", !frozen_regions(failed.text).empty()},
          {"failure", failed.failure},
          {"error", failed.error}};
}

nlohmann::json translation_data(const PromptSubject& subject, const TranslationAttempt& attempt) {
  const FailedProposal last = attempt.failed.empty() ? FailedProposal{} : attempt.failed.back();
  json earlier_errors = json::array();
  for (std::size_t i = 0; i + 1 < attempt.failed.size(); ++i) {
    earlier_errors.push_back(attempt.failed[i].error);
  }
  return {{"contract", contract_data(subject)},     {"attempt", attempt.attempt},
          {"attempts", attempt.attempts},           {"last_code", text_or_null(last.text)},
          {"last_error", text_or_null(last.error)}, {"earlier_errors", earlier_errors}};
}

nlohmann::json error_data(Device device, const std::string& code, const std::string& error) {
  return {{"language", language_of(device)}, {"code", code}, {"error", error}};
}

nlohmann::json verification_data(const PromptSubject& subject, Verifier verifier,
                                 const std::string& code, const std::string& instructions) {
  return {{"contract", contract_data(subject)},
          {"code", without_comments(code)},
          {"classes", error_classes(verifier)},
          {"instructions", text_or_null(instructions)}};
}

nlohmann::json reflection_data(const PromptSubject& subject, Verifier verifier,
                               const std::string& code, const std::string& instructions,
                               const std::string& answer) {
  json data = verification_data(subject, verifier, code, instructions);
  data["verifier"] = to_string(verifier);
  data["answer"] = answer;
  return data;
}

nlohmann::json profile_data(Device device, const std::string& code, const ProfileRecord& profile) {
  std::vector<std::string> findings;
  for (const ToolFinding& finding : profile.findings) {
    std::string text = fmt::format("{}: {}", finding.tool, finding.what);
    if (finding.value) text += fmt::format(" {:.4g} {}", *finding.value, finding.unit);
    if (!finding.where.kernel.empty()) text += " in " + finding.where.kernel;
    if (finding.where.line > 0) text += fmt::format(" at line {}", finding.where.line);
    findings.push_back(text + (finding.meaning.empty() ? "" : ". " + finding.meaning));
  }
  return {{"language", language_of(device)},
          {"code", code},
          {"findings", findings},
          {"advice", advice_texts(profile, code)}};
}

std::vector<std::string> advice_texts(const ProfileRecord& profile, const std::string& source) {
  std::vector<std::string> texts;
  for (const Advice& advice : profile.advice) {
    const std::string text =
        advice.kernel.empty() ? advice.text : advice.kernel + ": " + advice.text;
    texts.push_back(text + quoted_lines(advice, source));
  }
  return texts;
}

}  // namespace robust_kbench
