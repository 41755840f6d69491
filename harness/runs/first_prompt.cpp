#include "runs/first_prompt.hpp"

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <vector>

#include "core/manifest_places.hpp"
#include "core/scrub.hpp"
#include "prompt/local_headers.hpp"
#include "prompt/machine_facts.hpp"
#include "prompt/prompt_data.hpp"
#include "prompt/recommendations.hpp"
#include "runs/backends.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// A run draws its secret. The person who sees this prompt may compare two, so they have the same.
const std::string secret(64, '0');

nlohmann::json first_data(const StartKernels& kernels) {
  const EvolutionSettings& settings = kernels.settings();
  const Manifest& manifest = kernels.suite().manifest();
  const Task& task = kernels.suite().task(kernels.entry().task);
  const Direction direction = kernels.entry().direction;
  const Device device = kernels.device();
  std::vector<Config> shown;
  if (settings.show_shapes) {
    shown = raced_configs(kernels.suite(), kernels.entry(), device, settings);
  }
  const PromptSubject subject =
      prompt_subject(manifest, task, direction, device, shown,
                     machine_facts(device, manifest.toolchain), settings.allow);
  const Candidate parent = kernels.first_shown();
  const std::size_t before = kernels.all().size() + (kernels.translates() ? 1 : 0);
  const std::int64_t id = static_cast<std::int64_t>(before) + 1;
  const ProposalRequest request{.parent = parent, .context = {}, .id = id};
  return proposal_data(
      subject,
      {.request = request,
       .example = settings.examples > 0
                      ? std::optional(starting_source(manifest, task, direction, device))
                      : std::nullopt,
       .headers = local_headers({parent.kernel}),
       .recommendations = drawn_recommendations(
           device, settings.left_out, prompt_seed(settings.seed, id), techniques_in(parent.text))});
}

}  // namespace

std::string first_prompt(const ModelUse& use, const StartKernels& kernels) {
  const nlohmann::json data = first_data(kernels);
  const Scrubber scrubber =
      usual_scrubber(std::filesystem::current_path(), manifest_places(kernels.suite().manifest()));
  const std::unique_ptr<Helper> helper = use.renderer();
  std::string text;
  for (const Message& message :
       helper->render("propose", scrubber.scrubbed(data), secret, "first").messages) {
    text += "[" + message.role + "]\n" + message.content + "\n";
  }
  return text;
}

// The helper starts first, since it needs the keys, and whoever starts another takes them.
PromptSizes prompt_sizes(ModelUse& use, const StartKernels& kernels) {
  (void)use.helper(kernels.settings());
  return {.first = json_bytes(first_prompt(use, kernels)),
          .kernel = json_bytes(kernels.first_shown().text)};
}

PromptSizes review_sizes(const Suite& suite, ModelUse& use, const EvolutionSettings& settings,
                         Device device, const std::vector<Entry>& entries,
                         const std::vector<std::string>& sources) {
  PromptSizes sizes;
  for (const std::string& source : sources) sizes.reviewed += json_bytes(source);
  if (!sources.empty()) sizes.reviewed /= std::ssize(sources);
  for (const Entry& entry : entries) {
    const EvolvedEntry evolved{.task = entry.task,
                               .direction = std::string(to_string(entry.direction)),
                               .device = std::string(to_string(device)),
                               .gpus = {}};
    const PromptSizes own = prompt_sizes(use, StartKernels(suite, evolved, settings));
    if (own.first < sizes.first) continue;
    sizes.first = own.first;
    sizes.kernel = own.kernel;
  }
  return sizes;
}

}  // namespace robust_kbench
