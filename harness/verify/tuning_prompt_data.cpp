#include "verify/tuning_prompt_data.hpp"

#include "prompt/entry_contract.hpp"
#include "prompt/prompt_data.hpp"
#include "source/comments.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr const char* own_instructions = "The reviewer's own instructions, which are not shown.";

}  // namespace

nlohmann::json instructions_data(Device device, Verifier verifier,
                                 const std::vector<TriedInstructions>& tried,
                                 const std::string& mistakes,
                                 const std::vector<std::string>& rejected) {
  json attempts = json::array();
  for (const TriedInstructions& one : tried) {
    attempts.push_back(
        {{"accuracy", one.matrix.accuracy().share()},
         {"precision", one.matrix.precision().share()},
         {"recall", one.matrix.recall().share()},
         {"instructions", one.instructions.empty() ? own_instructions : one.instructions}});
  }
  return {{"language", language_of(device)},
          {"verifier", to_string(verifier)},
          {"tried", attempts},
          {"mistakes", text_or_null(mistakes)},
          {"rejected", rejected}};
}

nlohmann::json mistakes_data(Device device, Verifier verifier,
                             const std::vector<Mistake>& mistakes) {
  json all = json::array();
  for (const Mistake& mistake : mistakes) {
    all.push_back({{"overlooked", !mistake.truth.valid},
                   {"code", without_comments(mistake.code)},
                   {"answer", mistake.answer},
                   {"truth", text_or_null(mistake.truth.found)}});
  }
  return {{"language", language_of(device)}, {"verifier", to_string(verifier)}, {"mistakes", all}};
}

}  // namespace robust_kbench
