#include "cli/command_line.hpp"

#include <cmath>
#include <utility>

#include "core/error.hpp"

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
  // One may be missing for CLI11, which would else call a misspelled one missing.
  m_app->require_subcommand(0, 1);
  return CommandLine(std::shared_ptr<CLI::App>(m_app, m_app->add_subcommand(name, text)));
}

void CommandLine::when_given(std::function<void()> callback) {
  m_app->callback(std::move(callback));
}

void CommandLine::hide() {
  m_app->group("");
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
  try {
    m_app->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
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
