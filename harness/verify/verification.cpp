#include "verify/verification.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <utility>

#include "prompt/prompt_data.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// The request for a review, or for a look at the review `earlier`.
ModelRequest request_for(const VerifiedKernel& kernel, Verifier verifier,
                         const std::string& instructions, int look, const std::string& earlier) {
  const std::string name(to_string(verifier));
  ModelRequest request{.call = kernel.call + "/" + name,
                       .stage = kernel.stage,
                       .purpose = name,
                       .proposal = kernel.proposal,
                       .prompt = "verify_" + name,
                       .data = {},
                       .schema = verdict_schema(verifier),
                       .keep_failure = kernel.keep_failures};
  if (look == 0) {
    request.data = verification_data(kernel.subject, verifier, kernel.code, instructions);
  } else {
    request.call += "/reflect/" + std::to_string(look);
    request.prompt = "reflect";
    request.data = reflection_data(kernel.subject, verifier, kernel.code, instructions, earlier);
  }
  return request;
}

ParsedVerdict verdict_in(const ModelReply& reply, Verifier verifier) {
  if (reply.answer.outcome == ModelOutcome::ok && reply.answer.message.empty()) {
    return parse_verdict_answer(reply.answer.text, verifier, reply.mark);
  }
  const std::string& message = reply.answer.message;
  return {{},
          "the answer is '" + std::string(to_string(reply.answer.outcome)) + "'" +
              (message.empty() ? "" : ": " + message)};
}

bool is_failure(ModelOutcome outcome) {
  return outcome == ModelOutcome::error || outcome == ModelOutcome::not_granted;
}

bool are_alike(const VerifierVerdict& a, const VerifierVerdict& b) {
  return a.valid == b.valid && a.error_class == b.error_class;
}

}  // namespace

Vote vote_of(ModelSession& session, const VerifierOptions& options, const VerifiedKernel& kernel,
             Verifier verifier) {
  const auto own = options.instructions.find(verifier);
  const std::string instructions = own == options.instructions.end() ? "" : own->second;
  Vote vote;
  for (int look = 0; look <= options.reflections; ++look) {
    const ModelReply reply =
        session.ask(request_for(kernel, verifier, instructions, look, vote.answer), options.choice);
    const ParsedVerdict parsed = verdict_in(reply, verifier);
    const bool ends =
        !parsed.verdict || (vote.verdict && are_alike(*vote.verdict, *parsed.verdict));
    vote = {.verdict = parsed.verdict,
            .abstention = parsed.reason,
            .answer = reply.answer.text,
            .failed = is_failure(reply.answer.outcome)};
    if (ends) break;
  }
  return vote;
}

std::vector<Votes> votes_on(ModelSession& session, const VerifierOptions& options,
                            const std::vector<VerifiedKernel>& kernels,
                            const std::vector<Verifier>& asked) {
  const std::size_t reviews = kernels.size() * asked.size();
  std::vector<Vote> votes(reviews);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < reviews; i = next++) {
      votes[i] = vote_of(session, options, kernels[i / asked.size()], asked[i % asked.size()]);
    }
  };
  std::vector<std::future<void>> threads;
  const auto count = std::min(reviews, static_cast<std::size_t>(std::max(1, options.side_by_side)));
  for (std::size_t i = 0; i < count; ++i) {
    threads.push_back(std::async(std::launch::async, work));
  }
  for (std::future<void>& thread : threads) thread.wait();
  for (std::future<void>& thread : threads) thread.get();
  std::vector<Votes> by_kernel(kernels.size());
  for (std::size_t i = 0; i < reviews; ++i) {
    by_kernel[i / asked.size()][asked[i % asked.size()]] = std::move(votes[i]);
  }
  return by_kernel;
}

}  // namespace robust_kbench
