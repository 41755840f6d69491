#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/timing_record.hpp"
#include "evaluate/starting_source.hpp"
#include "prompt/entry_contract.hpp"
#include "prompt/local_headers.hpp"
#include "prompt/proposal_request.hpp"
#include "prompt/verifier_answer.hpp"

#include <nlohmann/json_fwd.hpp>

// The data of the prompts for language models, which docs/prompts.md describes.
namespace robust_kbench {

// An empty text as null, which says in the data that there is none.
nlohmann::json text_or_null(const std::string& text);

// A proposal that the model may mend.
struct FailedProposal {
  std::string text;     // its source, or the answer whose source could not be read
  std::string failure;  // "malformed", or the class of the reason for which it was refused
  std::string error;
};

// The parts of a prompt for a faster kernel beside the contract.
struct ProposalContext {
  const ProposalRequest& request;
  std::optional<StartingSource> example;  // shown as an answer
  std::vector<LocalHeader> headers = {};  // shown where a shown kernel includes them
  std::vector<std::string> advice = {};   // on the parent, in words
  std::vector<std::string> recommendations = {};
  std::optional<FailedProposal> earlier_answer = {};  // to the same task, without a source
  std::size_t shown = 5;  // the parent and the fastest others, so many in all
};

// The data of the prompt `propose`.
nlohmann::json proposal_data(const PromptSubject& subject, const ProposalContext& context);

// The data of the prompt `repair`.
nlohmann::json repair_data(const PromptSubject& subject, const FailedProposal& failed);

struct TranslationAttempt {
  int attempt = 1;  // from 1
  int attempts = 10;
  std::vector<FailedProposal> failed = {};  // earlier attempts, with their condensed errors
};

// The data of the prompt `translate`.
nlohmann::json translation_data(const PromptSubject& subject, const TranslationAttempt& attempt);

// The data of the prompt `condense_error`.
nlohmann::json error_data(Device device, const std::string& code, const std::string& error);

// The data of the prompts `verify_compilation`, `verify_memory` and `verify_numerics`. The code's
// comments are left out. Empty `instructions` mean the prompt's own.
nlohmann::json verification_data(const PromptSubject& subject, Verifier verifier,
                                 const std::string& code, const std::string& instructions);

// The data of the prompt `reflect`. `answer` is the verifier's first one.
nlohmann::json reflection_data(const PromptSubject& subject, Verifier verifier,
                               const std::string& code, const std::string& instructions,
                               const std::string& answer);

// The data of the prompt `summarise_profile`.
nlohmann::json profile_data(Device device, const std::string& code, const ProfileRecord& profile);

// The texts of a profile's advice, for ProposalContext, each with the lines of the source that it
// is about.
std::vector<std::string> advice_texts(const ProfileRecord& profile, const std::string& source);

}  // namespace robust_kbench
