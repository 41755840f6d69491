#include "command/command_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "command/help_example.hpp"
#include "command/tell_error.hpp"
#include "core/error.hpp"
#include "core/nearest_name.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace robust_kbench {
namespace {

template <typename Value>
Option add_repeatable(CLI::App& app, const std::string& names, std::vector<Value>& values,
                      const std::string& text) {
  CLI::Option* option = app.add_option(names, values, text);
  // An argument may follow the value of an option.
  if (names.starts_with('-')) option->allow_extra_args(false);
  return Option(option);
}

// Returns the command's whole name, such as "rkb archive list".
std::string command_path(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return (parent == nullptr ? "" : command_path(*parent) + " ") + app.get_name();
}

// Begins the help of a command with an example.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    const std::string example = help_example(command_path(*app));
    return (example.empty() ? "" : "Example: " + example + "\n\n") +
           CLI::Formatter::make_description(app);
  }

  // One empty line is enough between groups.
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return CLI::detail::find_and_replace(CLI::Formatter::make_help(app, std::move(name), mode),
                                         "\n\n\n", "\n\n");
  }
};

// Lists the commands that --help shows.
std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

// Returns a hint at the known command or option that is most like the word.
std::string hint_at(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  if (word.starts_with('-')) {
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  } else {
    for (const CLI::App* command : commands_of(app)) known.push_back(command->get_name());
  }
  return did_you_mean(word, {known.begin(), known.end()});
}

// The choices stand in the type that --help shows, such as TEXT:{cpu,cuda}.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

void add_completed(const CLI::App& app, std::vector<CompletedCommand>& commands) {
  CompletedCommand command{.path = command_path(app), .text = app.get_description()};
  for (const CLI::Option* option : app.get_options()) {
    std::vector<std::string> names;
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    if (option->get_group().empty()) continue;
    if (names.empty()) {
      const std::vector<std::string> choices = choices_of(*option);
      command.arguments.insert(command.arguments.end(), choices.begin(), choices.end());
      continue;
    }
    command.options.push_back({.names = std::move(names),
                               .text = option->get_description(),
                               .takes_value = option->get_items_expected_max() > 0,
                               .choices = choices_of(*option)});
  }
  commands.push_back(std::move(command));
  for (const CLI::App* below : commands_of(app)) add_completed(*below, commands);
}

std::string complaint_of(const CLI::App& app, const std::string& word) {
  return fmt::format("'{}' is unknown{} `{} --help` lists what there is", word, hint_at(app, word),
                     command_path(app));
}

// Returns the innermost command that was given.
const CLI::App& given_command(const CLI::App& app) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  return given.empty() ? app : given_command(*given.front());
}

// Returns that hint for the first word that the parser did not know, or nothing where it knew all.
std::string complaint_of(const CLI::App& app) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  const std::vector<std::string> unknown = app.remaining();
  if (unknown.empty()) return given.empty() ? "" : complaint_of(*given.front());
  const std::string word = unknown.front().substr(0, unknown.front().find('='));
  // CLI11 hands a word that a command does not take to the command above it.
  const bool is_from_below = !given.empty() && hint_at(app, word) == ";";
  const CLI::App* asked = &app;
  while (is_from_below && !asked->get_subcommands().empty())
    asked = asked->get_subcommands().front();
  return complaint_of(*asked, word);
}

}  // namespace

Option& Option::one_of(const std::vector<std::string>& values) {
  m_option->check(CLI::IsMember(values));
  return *this;
}

// CLI::Range lets NaN pass, which is neither below nor above.
Option& Option::between(double low, double high) {
  const std::string range = fmt::format("[{} - {}]", low, high);
  const auto complaint = [=](const std::string& text) {
    double value = NAN;
    const bool inside = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
    return inside ? std::string() : fmt::format("{} is no number in {}", text, range);
  };
  m_option->check(CLI::Validator(complaint, "in " + range));
  return *this;
}

Option& Option::delimiter(char character) {
  m_option->delimiter(character);
  return *this;
}

Option& Option::capture_default_str() {
  m_option->capture_default_str();
  return *this;
}

Option& Option::required() {
  m_option->required();
  return *this;
}

Option& Option::needs(const Option& other) {
  m_option->needs(other.m_option);
  return *this;
}

Option& Option::excludes(const Option& other) {
  m_option->excludes(other.m_option);
  return *this;
}

Option& Option::group(const std::string& heading) {
  m_option->group(heading);
  return *this;
}

CommandLine::CommandLine(const std::string& program, const std::string& text)
    : m_app(std::make_shared<CLI::App>(text, program)) {
  m_app->formatter(std::make_shared<HelpFormatter>());
}

Option CommandLine::add_option(const std::string& names, std::string& value,
                               const std::string& text) {
  return Option(m_app->add_option(names, value, text));
}

Option CommandLine::add_option(const std::string& names, int& value, const std::string& text) {
  return Option(m_app->add_option(names, value, text));
}

Option CommandLine::add_option(const std::string& names, double& value, const std::string& text) {
  return Option(m_app->add_option(names, value, text));
}

Option CommandLine::add_option(const std::string& names, std::vector<std::string>& values,
                               const std::string& text) {
  return add_repeatable(*m_app, names, values, text);
}

Option CommandLine::add_option(const std::string& names, std::vector<int>& values,
                               const std::string& text) {
  return add_repeatable(*m_app, names, values, text);
}

Option CommandLine::add_option(const std::string& names, std::vector<double>& values,
                               const std::string& text) {
  return add_repeatable(*m_app, names, values, text);
}

Option CommandLine::add_option(const std::string& names,
                               const std::function<void(const std::vector<std::string>&)>& take,
                               const std::string& text) {
  CLI::Option* option = m_app->add_option_function<std::vector<std::string>>(names, take, text);
  option->allow_extra_args(false);
  return Option(option);
}

Option CommandLine::add_flag(const std::string& names, bool& value, const std::string& text) {
  return Option(m_app->add_flag(names, value, text));
}

CommandLine CommandLine::add_command(const std::string& name, const std::string& text) {
  // CLI11 does not require a command. It would otherwise call a misspelled one missing.
  m_app->require_subcommand(0, 1);
  return CommandLine(std::shared_ptr<CLI::App>(m_app, m_app->add_subcommand(name, text)));
}

void CommandLine::when_given(std::function<void()> callback) {
  m_app->callback(std::move(callback));
}

void CommandLine::hide() {
  m_app->group("");
}

void CommandLine::share_options() {
  m_app->fallthrough();
}

std::vector<CompletedCommand> CommandLine::completion() const {
  std::vector<CompletedCommand> commands;
  add_completed(*m_app, commands);
  return commands;
}

std::string CommandLine::help(const std::vector<std::string>& words) const {
  const CLI::App* app = m_app.get();
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> below = commands_of(*app);
    const auto found = std::ranges::find(below, word, &CLI::App::get_name);
    if (found == below.end()) throw UserError(complaint_of(*app, word));
    app = *found;
  }
  // The formatter asks the command that was given, and that may be another one than this.
  return app->get_formatter()->make_help(app, command_path(*app), CLI::AppFormatMode::Normal);
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
  try {
    m_app->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      m_app->exit(error);  // prints the help
      return ExitCode::pass;
    }
    std::string complaint = m_app->get_allow_extras() ? "" : complaint_of(*m_app);
    if (complaint.empty()) {
      complaint = fmt::format("{}; `{} --help` lists what there is", error.what(),
                              command_path(given_command(*m_app)));
    }
    tell_error(m_app->get_name(), {ExitCode::usage, complaint}, wants_json(argc, argv));
    return ExitCode::usage;
  }
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv,
                                      std::vector<std::string>& unknown) {
  m_app->allow_extras();
  const std::optional<int> exit_code = parse(argc, argv);
  unknown = m_app->remaining();
  return exit_code;
}

}  // namespace robust_kbench
