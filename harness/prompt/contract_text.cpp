#include "prompt/contract_text.hpp"

#include <vector>

#include "prompt/entry_contract.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

// The headers that the shim offers, in short.
constexpr const char* headers =
    "`<torch/extension.h>` is a slim header with torch's names: `torch::Tensor` with `size`, "
    "`data_ptr<float>()`, `options` and their like, `torch::empty` and its relatives, "
    "`TORCH_CHECK`, `AT_DISPATCH_FLOATING_TYPES`, `py::tuple` and `c10::optional`. The usual "
    "operators of `at::` are there as library calls. There is no autograd and no `torch::nn`.";

std::string texts_in(const json& list) {
  return fmt::format("{}", fmt::join(list.get<std::vector<std::string>>(), ", "));
}

std::string block(const std::string& language, const std::string& text) {
  return fmt::format("```{}\n{}{}```\n", language, text, text.ends_with('\n') ? "" : "\n");
}

// An item of a list: a name in backticks, its meaning, and remarks on it.
std::string item(const json& listed, const std::string& what) {
  const std::string about = listed.at("about");
  return fmt::format("- `{}`: {}{}\n", listed.at("name").get<std::string>(), what,
                     about.empty() ? "" : ", " + about);
}

std::string arguments_of(const json& contract) {
  std::string text;
  for (const json& argument : contract.at("arguments")) {
    text += item(argument, "`" + argument.at("type").get<std::string>() + "`");
  }
  return text;
}

std::string outputs_of(const json& contract) {
  std::string text;
  for (const json& output : contract.at("outputs")) text += item(output, output.at("dtype"));
  return text;
}

std::string configs_text(const json& contract) {
  std::string text;
  for (const json& config : contract.at("configs")) {
    const std::string parameters = texts_in(config.at("parameters"));
    text +=
        fmt::format("- {}: {}{}\n", config.at("name").get<std::string>(),
                    texts_in(config.at("tensors")), parameters.empty() ? "" : "; " + parameters);
  }
  return text;
}

std::string refused_text(const json& contract) {
  if (contract.at("refused").empty()) return "";
  std::string text =
      "\n## What its code may not ask for\n\nOne use of these classes in its objects, strings or "
      "instructions refuses it:\n\n";
  for (const json& refused : contract.at("refused")) {
    text += fmt::format("- {}: {}\n", refused.at("name").get<std::string>(),
                        refused.at("about").get<std::string>());
  }
  return text;
}

}  // namespace

std::string contract_text(const PromptSubject& subject) {
  const json contract = contract_data(subject);
  const bool writes = contract.at("out_arguments");
  std::string text = fmt::format(
      "## Entry point\n\n`{}`, with these arguments in this order:\n\n{}\n{}\n\n{}\nEvery "
      "tensor that arrives is contiguous. {}\n\n{}\n\n",
      contract.at("direction").get<std::string>(), arguments_of(contract),
      writes ? "It returns nothing, and writes these:" : "It returns:", outputs_of(contract),
      writes ? "What it writes holds nothing of use before."
             : "Returned tensors are new and contiguous.",
      headers);
  text += "## Reference\n\n" + block(contract.at("reference_language"), contract.at("reference"));
  if (const json& autograd = contract.at("autograd_function"); autograd.is_string()) {
    text += "\nAs a `torch.autograd.Function`, which shows what is saved for the backward:\n\n" +
            block("python", autograd);
  }
  return text + "\n## It is timed on\n\n" + configs_text(contract) + refused_text(contract);
}

}  // namespace robust_kbench
