#include "propose/llm_proposer.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "archive/refusal.hpp"
#include "core/utf8.hpp"
#include "prompt/kernel_answer.hpp"
#include "prompt/profile_summary.hpp"
#include "prompt/recommendations.hpp"
#include "source/split_mix.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

// Reasons that a model may mend. A kernel that is slower or cheats is not sent back.
const std::set<std::string_view> mendable{refusal::malformed,
                                          refusal::no_source,
                                          refusal::frozen,
                                          to_string(Verdict::compile_error),
                                          to_string(Verdict::load_error),
                                          to_string(Verdict::exception),
                                          to_string(Verdict::crash),
                                          to_string(Verdict::timeout),
                                          to_string(Verdict::wrong_result),
                                          to_string(Verdict::out_of_memory),
                                          to_string(Verdict::nondeterministic)};

const std::string& drawn(const std::vector<std::string>& values, SplitMix& random) {
  static const std::string none = "auto";
  return values.empty() ? none : values[random.below(values.size())];
}

constexpr std::size_t longest_line = 160;  // bytes of a strategy or a reason

// The turns that are left to models for each turn of `tune`.
double share_beside_tune(double tune) {
  return tune <= 0 ? std::numeric_limits<double>::infinity() : (1 - tune) / tune;
}

}  // namespace

LlmProposer::LlmProposer(LlmProposerOptions options, ModelSession& session)
    : Proposer({.name = "llm",
                .takes_long = true,
                .share = share_beside_tune(options.settings.tune_share)}),
      m_options(std::move(options)),
      m_session(session) {}

Silence LlmProposer::silence() const {
  if (const auto reason = m_options.stopped()) return {*reason, true};
  return {m_silence, m_failures >= most_failures && m_options.settings.on_model_failure == "stop"};
}

ModelChoice LlmProposer::draw(std::int64_t id) const {
  const ModelSettings& settings = m_options.settings;
  SplitMix random(static_cast<std::uint64_t>(m_options.seed) * 1000003 +
                  static_cast<std::uint64_t>(id));
  const std::string& model = drawn(settings.models, random);
  const std::string& temperature = drawn(settings.temperatures, random);
  const std::string& effort = drawn(settings.efforts, random);
  return model_choice(model, temperature, effort, settings.max_output_tokens, "max_output_tokens");
}

bool LlmProposer::may_begin() {
  if (const auto reason = m_options.refused()) {
    m_silence = *reason;
    return false;
  }
  return m_failures < most_failures;
}

std::optional<Proposer::Job> LlmProposer::begin(const ProposalRequest& request) {
  if (!request.has_begun && !may_begin()) return std::nullopt;
  Asked asked{.choice = {}, .counts = !request.has_begun};
  Job job;
  if (m_to_repair.empty()) {
    asked.choice = draw(request.id);
    asked.may_repair = m_options.settings.repairs > 0;
    job = [this, &request, choice = asked.choice] {
      return propose_new(request, choice, std::nullopt);
    };
  } else {
    asked.choice = m_to_repair.front().asked.choice;
    asked.may_repair = false;
    job = [this, &request, failed = std::move(m_to_repair.front())] {
      return failed.asked.has_source ? repair(request, failed) : propose_again(request, failed);
    };
    m_to_repair.pop_front();
  }
  const std::lock_guard lock(m_mutex);
  m_asked[request.id] = std::move(asked);
  return job;
}

Proposal LlmProposer::propose_again(const ProposalRequest& request, const Failed& failed) {
  Proposal proposal = propose_new(request, failed.asked.choice, failed.proposal);
  proposal.settings["repairs"] = failed.id;
  return proposal;
}

Proposal LlmProposer::propose_new(const ProposalRequest& request, const ModelChoice& choice,
                                  const std::optional<FailedProposal>& earlier) {
  const ModelSettings& settings = m_options.settings;
  ProposalRequest shown = request;
  if (settings.context == "best") shown.context.clear();
  const std::uint64_t seed = prompt_seed(m_options.seed, request.id);
  if (settings.context == "random") {
    SplitMix random(seed);
    for (std::size_t i = shown.context.size(); i > 1; --i) {
      std::swap(shown.context[i - 1], shown.context[random.below(i)]);
    }
    // A prompt shows the fastest of what it gets.
    const auto others = static_cast<std::size_t>(settings.context_size - 1);
    shown.context.resize(std::min(shown.context.size(), others));
  }
  const ProposalContext context{
      .request = shown,
      .example = settings.examples > 0 ? std::optional(m_options.example) : std::nullopt,
      .headers = m_options.headers,
      .advice = advice_on(request.parent),
      .recommendations = drawn_recommendations(m_options.subject.device, settings.left_out, seed,
                                               techniques_in(request.parent.text)),
      .earlier_answer = earlier,
      .shown = static_cast<std::size_t>(settings.context_size)};
  return read(m_session.ask({.call = fmt::format("propose/{}", request.id),
                             .stage = earlier ? "repair" : "propose",
                             .proposal = request.id,
                             .prompt = "propose",
                             .data = proposal_data(m_options.subject, context)},
                            choice),
              choice, request.id);
}

Proposal LlmProposer::repair(const ProposalRequest& request, const Failed& failed) {
  const PromptSubject subject = subject_beside(request.parent.kernel, m_options.subject);
  Proposal proposal = read(m_session.ask({.call = fmt::format("propose/{}", request.id),
                                          .stage = "repair",
                                          .proposal = request.id,
                                          .prompt = "repair",
                                          .data = repair_data(subject, failed.proposal)},
                                         failed.asked.choice),
                           failed.asked.choice, request.id);
  proposal.settings["repairs"] = failed.id;
  return proposal;
}

std::vector<std::string> LlmProposer::advice_on(const Candidate& parent) {
  if (!parent.profile || m_options.settings.profile_summary == "off") return {};
  if (m_options.settings.profile_summary == "rules") {
    return advice_texts(*parent.profile, parent.text);
  }
  const std::lock_guard once_for_each_parent(m_summarising);
  return summarise_profile(
      m_session, m_options.subject.device, parent,
      {.model = m_options.settings.models.front(), .max_output_tokens = profile_summary_tokens});
}

Proposal LlmProposer::read(const ModelReply& reply, const ModelChoice& choice, std::int64_t id) {
  Proposal proposal{.text = {}, .strategy = "no answer", .settings = nlohmann::json(choice)};
  const Answer& answer = reply.answer;
  proposal.settings["outcome"] = to_string(answer.outcome);
  if (!answer.ignored.empty()) proposal.settings["ignored"] = answer.ignored;
  const bool has_answered =
      answer.outcome == ModelOutcome::ok || answer.outcome == ModelOutcome::length;
  if (!has_answered || !answer.message.empty()) {
    proposal.refused = fmt::format(
        "{}: {}{}", choice.model, has_answered ? "" : fmt::format("{} ", to_string(answer.outcome)),
        answer.message);
    if (answer.outcome == ModelOutcome::not_granted) {
      const std::lock_guard lock(m_mutex);
      m_asked.at(id).was_granted = false;
    }
    return proposal;
  }
  ParsedKernelAnswer parsed =
      parse_kernel_answer(answer.text, m_options.subject.device, reply.mark);
  if (!parsed.kernel) {
    proposal.refused = parsed.reason;
    const std::lock_guard lock(m_mutex);
    Asked& asked = m_asked.at(id);
    asked.malformed = answer.text;
    asked.has_source = has_module(answer.text, reply.mark);
    return proposal;
  }
  proposal.text = std::move(parsed.kernel->code);
  proposal.settings["name"] = parsed.kernel->name;
  proposal.settings["description"] = parsed.kernel->description;
  const KernelAnswer& kernel = *parsed.kernel;
  proposal.strategy =
      first_line(kernel.strategy.empty() ? kernel.name : kernel.strategy, longest_line);
  if (proposal.strategy.empty()) proposal.strategy = "not said";
  return proposal;
}

void LlmProposer::count_failures(const Asked& asked, const ProposalResult& result) {
  if (!asked.counts || !asked.was_granted) return;
  m_failures = result.text.empty() ? m_failures + 1 : 0;
  if (m_failures != most_failures) return;
  m_silence = fmt::format("{} questions in a row gave no kernel; the last: {}", most_failures,
                          first_line(result.failure.reason, longest_line));
}

void LlmProposer::learn(const ProposalResult& result) {
  Asked asked;
  {
    const std::lock_guard lock(m_mutex);
    asked = m_asked.extract(result.id).mapped();
  }
  count_failures(asked, result);
  const ProposalFailure& failure = result.failure;
  if (!asked.may_repair || result.accepted || !mendable.contains(failure.reason_class)) return;
  Failed failed{.id = result.id,
                .proposal = {.text = result.text,
                             .failure = failure.reason_class,
                             .error = failure_report(failure)},
                .asked = asked};
  if (result.text.empty()) {
    if (!asked.malformed) return;  // no answer came
    failed.proposal.text = *asked.malformed;
    failed.proposal.failure = refusal::malformed;
  }
  m_to_repair.push_back(std::move(failed));
}

}  // namespace robust_kbench
