#include "verify/labelled_set.hpp"

#include <algorithm>
#include <utility>

#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/parse_json.hpp"
#include "core/text_file.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

constexpr int version = 1;
constexpr EnumNames<Split, 2> splits{"split",
                                     {{{Split::tune, "tune"}, {Split::held_out, "held_out"}}}};

std::map<Verifier, Label> labels_of(const json& object) {
  std::map<Verifier, Label> labels;
  for (const auto& [name, label] : object.items()) {
    labels[parse_verifier(name)] = {
        .truth = {.valid = label.at("valid"), .found = label.value("found", "")},
        .split = parse_split(label.at("split").get<std::string>())};
  }
  return labels;
}

LabelledSet set_of(const json& file) {
  if (file.at("version") != version) {
    throw UserError("its version is " + file.at("version").dump() + ", and this program reads " +
                    std::to_string(version));
  }
  LabelledSet set{.device = parse_device(file.at("device").get<std::string>()), .kernels = {}};
  for (const json& kernel : file.at("kernels")) {
    set.kernels.push_back(
        {.name = kernel.at("name"),
         .entry = {kernel.at("task"), parse_direction(kernel.at("direction").get<std::string>())},
         .source = kernel.at("source"),
         .labels = labels_of(kernel.at("labels"))});
  }
  return set;
}

// Throws where a task is in both splits: a tuned verifier is judged on tasks that it was not tuned
// on.
void check_splits(const LabelledSet& set) {
  std::map<std::pair<Verifier, std::string>, Split> seen;
  for (const LabelledKernel& kernel : set.kernels) {
    for (const auto& [verifier, label] : kernel.labels) {
      const auto [known, is_new] = seen.insert({{verifier, kernel.entry.task}, label.split});
      if (!is_new && known->second != label.split) {
        throw UserError("task " + kernel.entry.task + " is in both splits of verifier " +
                        std::string(to_string(verifier)) + "; keep it in one");
      }
    }
  }
}

}  // namespace

std::string_view to_string(Split split) {
  return splits.name_of(split);
}

Split parse_split(std::string_view name) {
  return splits.parse(name);
}

std::vector<const LabelledKernel*> LabelledSet::of(Verifier verifier,
                                                   std::optional<Split> split) const {
  std::vector<const LabelledKernel*> found;
  for (const LabelledKernel& kernel : kernels) {
    const auto label = kernel.labels.find(verifier);
    if (label == kernel.labels.end() || (split && label->second.split != *split)) continue;
    found.push_back(&kernel);
  }
  return found;
}

std::vector<Entry> entries_of(const std::vector<const LabelledKernel*>& kernels) {
  std::vector<Entry> entries;
  for (const LabelledKernel* kernel : kernels) {
    if (std::ranges::find(entries, kernel->entry) == entries.end()) {
      entries.push_back(kernel->entry);
    }
  }
  return entries;
}

std::vector<std::string> sources_of(const std::vector<const LabelledKernel*>& kernels) {
  std::vector<std::string> sources;
  for (const LabelledKernel* kernel : kernels) sources.push_back(kernel->source);
  return sources;
}

LabelledSet load_labelled_set(const std::filesystem::path& file) {
  const std::string who = "the labelled set " + file.string();
  const std::optional<std::string> text = read_text(file);
  if (!text)
    throw UserError(who + " cannot be read; `tests/mutants/mutant_set.py make` writes one");
  try {
    LabelledSet set = set_of(parse_json(*text));
    check_splits(set);
    return set;
  } catch (const json::exception& error) {
    throw UserError(who + " is not as docs/verifiers.md has it: " + error.what());
  } catch (const UserError& error) {
    throw UserError(who + ": " + error.what());
  }
}

}  // namespace robust_kbench
