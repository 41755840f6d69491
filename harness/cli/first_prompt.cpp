#include "cli/first_prompt.hpp"

#include <filesystem>
#include <memory>

#include "archive/scrub.hpp"
#include "core/manifest_places.hpp"
#include "prompt/local_headers.hpp"
#include "prompt/machine_facts.hpp"
#include "prompt/prompt_data.hpp"
#include "prompt/recommendations.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

// A run's is random. Here it is shown to the person alone, who may compare two prompts.
const std::string secret(64, '0');

}  // namespace

std::string first_prompt(const ModelUse& use, const Suite& suite, const Entry& entry, Device device,
                         const EvolutionSettings& settings, const FirstProposal& proposal) {
  const Manifest& manifest = suite.manifest();
  const Task& task = suite.task(entry.task);
  const std::vector<Config> shown = settings.show_shapes ? proposal.configs : std::vector<Config>();
  const PromptSubject subject = prompt_subject(manifest, task, entry.direction, device, shown,
                                               machine_facts(device, manifest.toolchain));
  const ProposalRequest request{.parent = proposal.parent, .context = {}, .id = proposal.id};
  const nlohmann::json data = proposal_data(
      subject,
      {.request = request,
       .example = settings.examples > 0
                      ? std::optional(starting_source(manifest, task, entry.direction, device))
                      : std::nullopt,
       .headers = local_headers({proposal.parent.kernel}),
       .recommendations =
           drawn_recommendations(device, settings.left_out, prompt_seed(settings.seed, proposal.id),
                                 techniques_in(proposal.parent.text))});
  const Scrubber scrubber =
      usual_scrubber(std::filesystem::current_path(), manifest_places(manifest));
  const std::unique_ptr<Helper> helper = use.renderer();
  std::string text;
  for (const Message& message :
       helper->render("propose", scrubber.scrubbed(data), secret, "first").messages) {
    text += "[" + message.role + "]\n" + message.content + "\n";
  }
  return text;
}

}  // namespace robust_kbench
