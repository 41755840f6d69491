#include "command/command_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

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

std::string complaint_of(const CLI::App& app, const std::string& word) {
  return fmt::format("'{}' is unknown{} `{} --help` lists what there is", word, hint_at(app, word),
                     command_path(app));
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

CommandLine::CommandLine(const std::string& program, const std::string& text)
    : m_app(std::make_shared<CLI::App>(text, program)) {}

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
    const std::string complaint = m_app->get_allow_extras() ? "" : complaint_of(*m_app);
    if (!complaint.empty()) {
      std::fprintf(stderr, "%s: %s\n", m_app->get_name().c_str(), complaint.c_str());
      return ExitCode::usage;
    }
    return m_app->exit(error) == 0 ? ExitCode::pass : ExitCode::usage;
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
