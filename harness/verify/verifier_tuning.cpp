#include "verify/verifier_tuning.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

#include "prompt/answer_elements.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr const char* tuning_stage = "tune_verifier";
// The most words that are read. The writer is told 600. Longer instructions are read as long as
// they leave room for the kernel.
constexpr std::size_t most_words = 1200;
constexpr std::size_t most_bytes = 8000;  // a prompt shows as many characters (foreign_text.py)

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// The text by which instructions are compared: spaces and capitals make no difference.
std::string without_spaces_and_case(const std::string& text) {
  std::string all;
  for (const std::string& word : words_of(text)) all += word + ' ';
  std::ranges::transform(all, all.begin(), [](unsigned char c) { return std::tolower(c); });
  return all;
}

}  // namespace

VerifierTuning::VerifierTuning(VerifierTuningPlan plan, ModelSession& session,
                               OnGeneration on_generation)
    : m_plan(std::move(plan)), m_session(session), m_on_generation(std::move(on_generation)) {}

VerifierTrial VerifierTuning::try_out(const std::string& instructions, const std::string& call,
                                      const std::vector<KnownKernel>& kernels) {
  VerifierOptions options = m_plan.verifies;
  options.instructions[m_plan.verifier] = instructions;
  return try_verifier(m_session, options,
                      {.verifier = m_plan.verifier, .call = call, .stage = tuning_stage}, kernels);
}

std::string VerifierTuning::first_instructions() const {
  const auto given = m_plan.verifies.instructions.find(m_plan.verifier);
  return given == m_plan.verifies.instructions.end() ? "" : given->second;
}

std::optional<ModelReply> VerifierTuning::ask_writer(const ModelRequest& request) {
  ModelReply reply = m_session.ask(request, m_plan.writer);
  const ModelOutcome outcome = reply.answer.outcome;
  if (outcome != ModelOutcome::error && outcome != ModelOutcome::not_granted) return reply;
  m_failure = fmt::format("the question {} failed: {}", request.call, reply.answer.message);
  return std::nullopt;
}

const std::string& VerifierTuning::mistakes(int generation) {
  if (m_condensed) return *m_condensed;
  m_condensed = "";
  if (m_best_mistakes.empty() || !m_plan.condenses_mistakes) return *m_condensed;
  const auto reply =
      ask_writer({.call = fmt::format("tune_verifier/{}/mistakes", generation),
                  .stage = tuning_stage,
                  .purpose = "mistakes",
                  .prompt = "condense_mistakes",
                  .data = mistakes_data(m_plan.device, m_plan.verifier, m_best_mistakes),
                  .keep_failure = false});
  if (reply && reply->answer.outcome == ModelOutcome::ok) m_condensed = reply->answer.text;
  return *m_condensed;
}

std::string VerifierTuning::written(int generation) {
  const std::string& condensed = mistakes(generation);
  if (!m_failure.empty()) return "";
  const auto reply = ask_writer(
      {.call = fmt::format("tune_verifier/{}/instructions", generation),
       .stage = tuning_stage,
       .purpose = "instructions",
       .prompt = "tune_verifier",
       .data = instructions_data(m_plan.device, m_plan.verifier, m_tried, condensed, m_rejected),
       .keep_failure = false});
  if (!reply || reply->answer.outcome != ModelOutcome::ok) return "";
  const AnswerElements elements =
      answer_elements(without_prompt(reply->answer.text, reply->mark), {"instructions"});
  std::string text = elements.find("instructions").value_or("");
  return text.size() > most_bytes || words_of(text).size() > most_words ? "" : text;
}

void VerifierTuning::accept(const std::string& instructions, VerifierTrial trial) {
  m_tried.push_back({instructions, trial.matrix});
  m_best_mistakes = std::move(trial.mistakes);
  m_condensed.reset();
}

// Makes a generation, and returns its outcome.
std::string VerifierTuning::tune(int generation, TuningGeneration& made) {
  const bool is_first = generation == 0;
  made.instructions = is_first ? first_instructions() : written(generation);
  if (!m_failure.empty()) return "failed";
  if (!is_first && made.instructions.empty()) return "unreadable";
  if (!m_known.insert(without_spaces_and_case(made.instructions)).second) return "repeated";
  VerifierTrial trial =
      try_out(made.instructions, fmt::format("tune_verifier/{}/kernel", generation), m_plan.tuning);
  m_failure = trial.failure;
  if (!m_failure.empty()) return "failed";
  made.matrix = trial.matrix;
  if (!is_first && trial.matrix.accuracy().count <= m_tried.back().matrix.accuracy().count) {
    m_rejected.push_back(made.instructions);
    return "rejected";
  }
  accept(made.instructions, std::move(trial));
  return is_first ? "first" : "accepted";
}

// The reason for which tuning ends after a generation; empty: it goes on.
std::string VerifierTuning::reason_to_stop(int generation) const {
  if (!m_failure.empty()) return m_failure;
  const Proportion accuracy = m_tried.back().matrix.accuracy();
  if (accuracy.count == accuracy.of) return "no mistake is left on the tuning split";
  return generation == m_plan.generations ? "all generations were made" : "";
}

VerifierTuningResult VerifierTuning::run() {
  VerifierTuningResult result;
  for (int generation = 0; result.stop_reason.empty(); ++generation) {
    if (const auto why = m_plan.refused()) m_failure = *why;
    if (!m_failure.empty()) break;
    TuningGeneration made{.number = generation, .outcome = {}, .instructions = {}, .matrix = {}};
    made.outcome = tune(generation, made);
    if (m_on_generation) m_on_generation(made);
    result.generations.push_back(std::move(made));
    result.stop_reason = reason_to_stop(generation);
  }
  if (!m_tried.empty()) {
    result.instructions = m_tried.back().instructions;
    result.tuning = m_tried.back().matrix;
  }
  if (m_failure.empty()) m_failure = m_plan.refused().value_or("");
  if (m_failure.empty()) {
    const VerifierTrial last =
        try_out(result.instructions, "tune_verifier/held_out/kernel", m_plan.held_out);
    m_failure = last.failure;
    if (m_failure.empty()) result.held_out = last.matrix;
  }
  if (!m_failure.empty()) result.stop_reason = m_failure;
  return result;
}

nlohmann::json to_json_object(const TuningGeneration& generation) {
  return {{"generation", generation.number},
          {"outcome", generation.outcome},
          {"instructions", generation.instructions},
          {"matrix", generation.matrix ? to_json_object(*generation.matrix) : json()}};
}

nlohmann::json to_json_object(const VerifierTuningResult& result) {
  json generations = json::array();
  for (const TuningGeneration& generation : result.generations) {
    generations.push_back(to_json_object(generation));
  }
  return {{"instructions", result.instructions},
          {"tuning", to_json_object(result.tuning)},
          {"held_out", result.held_out ? to_json_object(*result.held_out) : json()},
          {"generations", generations}};
}

}  // namespace robust_kbench
