#include "cli/model_use.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "archive/timestamp.hpp"
#include "cli/common_options.hpp"
#include "core/error.hpp"
#include "evolve/preset.hpp"
#include "evolve/seeds.hpp"
#include "llm/keys.hpp"
#include "llm/providers.hpp"
#include "llm/start_helper.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

constexpr double micro = 1e6;

SpendingCap committed_cap(const EvolutionSettings& settings) {
  SpendingCap cap;
  if (settings.max_usd > 0) {
    cap.micro_usd = MicroDollars{static_cast<std::int64_t>(std::floor(settings.max_usd * micro))};
  }
  if (settings.max_tokens > 0) cap.tokens = settings.max_tokens;
  if (settings.max_calls > 0) cap.calls = settings.max_calls;
  return cap;
}

CapTexts settings_places(const std::string& file) {
  const std::string of_file = file.empty() ? "" : " of " + file;
  return {.max_usd = "the setting max_usd" + of_file,
          .max_tokens = "the setting max_tokens" + of_file,
          .max_calls = "the setting max_calls" + of_file};
}

std::string provider_of(const std::string& model) {
  return model.substr(0, model.find('/'));
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool allows_nothing(const SpendingCap& cap) {
  return cap.micro_usd == MicroDollars{} || cap.tokens == 0 || cap.calls == 0;
}

std::string in_use_today(const ModelList& list, const std::string& model) {
  return list.in_use(model, timestamp().substr(0, 10));
}

}  // namespace

void add_cap_options(CommandLine& command, CapTexts& cap) {
  add_common_option(command, "--max-usd", cap.max_usd);
  add_common_option(command, "--max-tokens", cap.max_tokens);
  add_common_option(command, "--max-calls", cap.max_calls);
}

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

ModelUse::ModelUse(HelperProgram program, CapTexts options, Surroundings surroundings)
    : m_program(std::move(program)),
      m_options(std::move(options)),
      m_config(load_person_config(surroundings.configuration)),
      m_providers(known_providers(m_program.providers(), m_config)),
      m_list(load_model_list(m_program.models())),
      m_surroundings(std::move(surroundings)) {
  m_surroundings.forget_keys(key_variables(m_providers));
}

CapSource ModelUse::cap() const {
  return cap_source(m_options, m_surroundings, m_config);
}

std::vector<std::string> ModelUse::default_models() const {
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

bool ModelUse::is_default() const {
  return cap().cap.is_set() && !default_models().empty();
}

EvolutionSettings ModelUse::preset(const std::string& name) const {
  if (name.empty()) return is_default() ? settings_with_models() : EvolutionSettings();
  EvolutionSettings settings = paper_settings();
  settings.models = m_list.paper_proposers;
  settings.verifier_model = m_list.paper_verifier;
  settings.translate_model = m_list.paper_translator;
  return settings;
}

EvolutionSettings ModelUse::resolved(EvolutionSettings settings) {
  const bool is_auto = contains(settings.proposers, "auto");
  const bool manual = settings.transport == "manual";
  const std::vector<std::string> offline{"transform", "tune"};
  if (!is_auto && !asks_models(settings)) return settings;
  if (settings.models.empty()) settings.models = default_models();
  const CapSource source = cap();
  // Who plans a run with models learns what it would cost before a cap is set.
  const bool plans_models = m_plans && !settings.models.empty();
  std::string why = source.cap.is_set() || plans_models ? "" : source.note;
  if (why.empty() && allows_nothing(source.cap)) {
    why = "no language model is asked, since the cap is 0";
  }
  if (plans_models && !source.cap.is_set()) {
    std::fprintf(stderr, "rkb: without a cap nothing of this is asked; %s\n", source.note.c_str());
  }
  if (why.empty() && settings.models.empty()) {
    why =
        "no language model is asked, since no key of a provider is set; set one, as "
        "OPENAI_API_KEY, or name a model: by --set models=provider/name for `rkb evolve`, else by "
        "--model";
  }
  if (manual && settings.models.empty()) settings.models = {"manual/person"};
  if (!manual && !why.empty()) {
    const bool wanted =
        !is_auto || !settings.models.empty() || settings.translate || source.cap.is_set();
    if (wanted) std::fprintf(stderr, "rkb: %s\n", why.c_str());
    settings.models.clear();
    settings.proposers = offline;
    settings.translate = false;
    if (settings.seed_kernel == translated_seed) settings.seed_kernel = "best";
    return settings;
  }
  if (is_auto) settings.proposers = {"llm", "tune"};
  if (settings.translate_model.empty()) settings.translate_model = settings.models.front();
  if (settings.verifier_model.empty()) {
    const auto defaults = m_list.defaults.find(provider_of(settings.models.front()));
    settings.verifier_model =
        defaults == m_list.defaults.end() ? settings.models.front() : defaults->second.verifier;
  }
  if (manual) return settings;
  note_retired(settings);
  return in_use(std::move(settings));
}

void ModelUse::note_retired(const EvolutionSettings& settings) {
  for (const std::string& model : models_of(settings)) {
    const std::string used = in_use_today(m_list, model);
    if (used == model || !m_replaced.emplace(model, used).second) continue;
    std::fprintf(stderr, "rkb: the model %s is retired; %s is asked in its place\n", model.c_str(),
                 used.c_str());
  }
}

EvolutionSettings ModelUse::in_use(EvolutionSettings settings) const {
  for (std::string& model : settings.models) model = in_use_today(m_list, model);
  settings.translate_model = in_use_today(m_list, settings.translate_model);
  settings.verifier_model = in_use_today(m_list, settings.verifier_model);
  return settings;
}

nlohmann::json ModelUse::replaced_models(const EvolutionSettings& settings) const {
  const std::vector<std::string> asked = models_of(settings);
  nlohmann::json replaced = nlohmann::json::array();
  for (const auto& [from, to] : m_replaced) {
    if (contains(asked, to)) replaced.push_back({{"from", from}, {"to", to}});
  }
  return replaced;
}

Ledger::Options ModelUse::ledger_options(const EvolutionSettings& settings) const {
  const CapSource source = cap();
  return {.cap = source.cap,
          .committed = committed_cap(settings),
          .places = source.places,
          .committed_places = settings_places(m_settings_file),
          .stops_on_overrun = settings.on_overrun == "stop"};
}

std::string ModelUse::cap_text(const EvolutionSettings& settings) const {
  const Ledger::Options options = ledger_options(settings);
  const std::string text = limits_text(options);
  return text.empty() ? "your cap, which is not set yet" : "your cap of " + text;
}

Ledger& ModelUse::ledger(const std::filesystem::path& archive, const EvolutionSettings& settings) {
  if (!m_ledger) {
    m_store = std::make_unique<CallStore>(archive, Database::Mode::read_write);
    m_ledger = std::make_unique<Ledger>(*m_store, ledger_options(settings));
  }
  return *m_ledger;
}

void ModelUse::require_askable(const EvolutionSettings& settings,
                               const std::vector<std::string>& models) {
  if (settings.transport == "manual") return;
  Helper& asked = helper(settings);
  const SpendingCap own = cap().cap;
  if (!own.micro_usd || own.tokens || own.calls) return;
  for (const std::string& model : models) {
    if (asked.estimate(model, 1, 1).cost) continue;
    throw UserError("the price of " + model +
                    " is not known, so no cap in dollars holds; correct its name, leave it out, or "
                    "give --max-tokens or --max-calls as well");
  }
}

bool ModelUse::holds_key(const std::string& variable) const {
  return contains(key_variables(m_providers), variable);
}

void ModelUse::drop_keys_but(const std::vector<std::string>& variables) const {
  std::vector<std::string> dropped = key_variables(m_providers);
  std::erase_if(dropped, [&](const std::string& name) { return contains(variables, name); });
  std::map<std::string, std::string> keys = take_keys(dropped);
  forget_others(keys, {});
}

std::unique_ptr<Helper> ModelUse::renderer() const {
  return start_helper(m_program, {}, nlohmann::json(), m_surroundings, m_config);
}

Helper& ModelUse::helper(const EvolutionSettings& settings) {
  if (!m_helper) {
    const bool manual = settings.transport == "manual";
    m_helper = start_helper(m_program, manual ? std::vector<std::string>() : models_of(settings),
                            settings.providers, m_surroundings, m_config,
                            m_plans ? HelperUse::estimates : HelperUse::asks);
  }
  return *m_helper;
}

}  // namespace robust_kbench
