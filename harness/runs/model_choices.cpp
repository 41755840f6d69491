#include "runs/model_choices.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "archive/timestamp.hpp"
#include "evolve/preset.hpp"
#include "evolve/starts.hpp"

namespace robust_kbench {
namespace {

std::string provider_of(const std::string& model) {
  return model.substr(0, model.find('/'));
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

bool allows_nothing(const SpendingCap& cap) {
  return cap.micro_usd == MicroDollars{} || cap.tokens == 0 || cap.calls == 0;
}

std::string in_use_today(const ModelList& list, const std::string& model) {
  return list.in_use(model, timestamp().substr(0, 10));
}

EvolutionSettings offline(EvolutionSettings settings) {
  settings.models.clear();
  settings.proposers = {"transform", "tune"};
  settings.translate = false;
  if (settings.seed_kernel == translated_start) settings.seed_kernel = "best";
  return settings;
}

}  // namespace

std::vector<std::string> models_of(const EvolutionSettings& settings) {
  std::vector<std::string> models = settings.models;
  for (const std::string& model : {settings.verifier_model, settings.translate_model}) {
    if (!model.empty()) models.push_back(model);
  }
  return models;
}

bool asks_models(const EvolutionSettings& settings) {
  return contains(settings.proposers, "llm");
}

ModelChoices::ModelChoices(const HelperProgram& program, CapTexts options,
                           Surroundings surroundings)
    : m_options(std::move(options)),
      m_config(load_person_config(surroundings.configuration)),
      m_providers(known_providers(program.providers(), m_config)),
      m_list(load_model_list(program.models())),
      m_surroundings(std::move(surroundings)) {
  m_surroundings.forget_keys(key_variables(m_providers));
}

CapSource ModelChoices::cap() const {
  return cap_source(m_options, m_surroundings, m_config);
}

std::vector<std::string> ModelChoices::default_models() const {
  std::vector<std::string> models;
  for (const auto& [name, provider] : m_providers) {
    const auto defaults = m_list.defaults.find(name);
    if (defaults == m_list.defaults.end()) continue;
    if (m_surroundings.keys.contains(provider.key_variable)) {
      models.push_back(defaults->second.proposer);
    }
  }
  return models;
}

bool ModelChoices::is_default() const {
  return cap().cap.is_set() && !default_models().empty();
}

EvolutionSettings ModelChoices::preset(const std::string& name) const {
  if (name.empty()) return is_default() ? settings_with_models() : EvolutionSettings();
  EvolutionSettings settings = paper_settings();
  settings.models = m_list.paper_proposers;
  settings.verifier_model = m_list.paper_verifier;
  settings.translate_model = m_list.paper_translator;
  return settings;
}

// The plan of a run with models says what it would cost before a cap is set.
std::string ModelChoices::why_offline(const EvolutionSettings& settings) const {
  const CapSource source = cap();
  if (!source.cap.is_set()) {
    if (!m_plans || settings.models.empty()) return source.note;
    std::fprintf(stderr, "rkb: without a cap nothing of this is asked; %s\n", source.note.c_str());
  }
  if (allows_nothing(source.cap)) return "no language model is asked, since the cap is 0";
  if (!settings.models.empty()) return "";
  return "no language model is asked, since no key of a provider is set; set one, as "
         "OPENAI_API_KEY, or name a model: by --set models=provider/name for `rkb evolve`, else by "
         "--model";
}

void ModelChoices::complete(EvolutionSettings& settings) const {
  if (contains(settings.proposers, "auto")) settings.proposers = {"llm", "tune"};
  const std::string& first = settings.models.front();
  if (settings.translate_model.empty()) settings.translate_model = first;
  if (settings.verifier_model.empty()) {
    const auto defaults = m_list.defaults.find(provider_of(first));
    settings.verifier_model = defaults == m_list.defaults.end() ? first : defaults->second.verifier;
  }
}

EvolutionSettings ModelChoices::resolved(EvolutionSettings settings) {
  const bool is_auto = contains(settings.proposers, "auto");
  if (!is_auto && !asks_models(settings)) return settings;
  if (settings.models.empty()) settings.models = default_models();
  if (settings.transport == "manual") {
    if (settings.models.empty()) settings.models = {"manual/person"};
    complete(settings);
    return settings;
  }
  if (const std::string why = why_offline(settings); !why.empty()) {
    const bool wanted =
        !is_auto || !settings.models.empty() || settings.translate || cap().cap.is_set();
    if (wanted) std::fprintf(stderr, "rkb: %s\n", why.c_str());
    return offline(std::move(settings));
  }
  complete(settings);
  note_retired(settings);
  return in_use(std::move(settings));
}

void ModelChoices::note_retired(const EvolutionSettings& settings) {
  for (const std::string& model : models_of(settings)) {
    const std::string used = in_use_today(m_list, model);
    if (used == model || !m_replaced.emplace(model, used).second) continue;
    std::fprintf(stderr, "rkb: the model %s is retired; %s is asked in its place\n", model.c_str(),
                 used.c_str());
  }
}

EvolutionSettings ModelChoices::in_use(EvolutionSettings settings) const {
  for (std::string& model : settings.models) model = in_use_today(m_list, model);
  settings.translate_model = in_use_today(m_list, settings.translate_model);
  settings.verifier_model = in_use_today(m_list, settings.verifier_model);
  return settings;
}

nlohmann::json ModelChoices::replaced_models(const EvolutionSettings& settings) const {
  const std::vector<std::string> asked = models_of(settings);
  nlohmann::json replaced = nlohmann::json::array();
  for (const auto& [from, to] : m_replaced) {
    if (contains(asked, to)) replaced.push_back({{"from", from}, {"to", to}});
  }
  return replaced;
}

}  // namespace robust_kbench
