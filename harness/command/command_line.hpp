#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

// Declares the options of programs. Only its source includes CLI11, which takes seconds to compile.
namespace robust_kbench {

// An option that has been declared. Each function narrows the values that it takes.
class Option {
 public:
  explicit Option(CLI::Option* option) : m_option(option) {}

  Option& one_of(const std::vector<std::string>& values);
  // Takes numbers from `low` to `high` alone, and so not NaN.
  Option& between(double low, double high);
  // Splits each value at this character.
  Option& delimiter(char character);
  Option& capture_default_str();  // --help shows what the variable holds now
  Option& required();
  Option& needs(const Option& other);
  Option& excludes(const Option& other);
  Option& group(const std::string& heading);  // of --help; empty: not shown there

 private:
  CLI::Option* m_option;
};

// An option as it is completed.
struct CompletedOption {
  std::vector<std::string> names;  // with their dashes
  std::string text = {};
  bool takes_value = false;
  std::vector<std::string> choices = {};  // none: any value
};

// A command as it is completed. `path` is its whole name, such as "rkb archive list".
struct CompletedCommand {
  std::string path;
  std::string text = {};
  std::vector<CompletedOption> options = {};
  std::vector<std::string> arguments = {};  // choices of those without a name
};

// The options and commands of a program, or of one of its commands. The variables that options set
// outlive this object.
class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& text);

  // Names as "-I,--include"; a name without dashes is an argument. An option may be given several
  // times where its variable is a vector, each time with one value.
  Option add_option(const std::string& names, std::string& value, const std::string& text = "");
  Option add_option(const std::string& names, int& value, const std::string& text = "");
  Option add_option(const std::string& names, double& value, const std::string& text = "");
  Option add_option(const std::string& names, std::vector<std::string>& values,
                    const std::string& text = "");
  Option add_option(const std::string& names, std::vector<int>& values,
                    const std::string& text = "");
  Option add_option(const std::string& names, std::vector<double>& values,
                    const std::string& text = "");
  // Declares an option whose values a function takes, as they would be in a vector.
  Option add_option(const std::string& names,
                    const std::function<void(const std::vector<std::string>&)>& take,
                    const std::string& text);
  Option add_flag(const std::string& names, bool& value, const std::string& text = "");

  // Declares a command, of which one at most is given. `when_given` is called while parsing.
  CommandLine add_command(const std::string& name, const std::string& text);
  void when_given(std::function<void()> callback);
  void hide();  // from --help
  // Lets the options of this program follow a command, too. Call it before commands are added.
  void share_options();
  // Returns what --help prints of the command that `words` name below this one, or of this one.
  // Throws UserError where there is none.
  [[nodiscard]] std::string help(const std::vector<std::string>& words) const;

  // Returns what may be typed at each place of a line.
  [[nodiscard]] std::vector<CompletedCommand> completion() const;

  // Sets the variables. Returns the exit code of a program that ends here, after --help or for
  // wrong arguments. An unknown command or option is told with the known one that is most like it,
  // as tell_error() tells it (command/tell_error.hpp).
  std::optional<int> parse(int argc, const char* const* argv);
  // Parses in the same way, and returns unknown words through `unknown`.
  std::optional<int> parse(int argc, const char* const* argv, std::vector<std::string>& unknown);

 private:
  explicit CommandLine(std::shared_ptr<CLI::App> app) : m_app(std::move(app)) {}

  std::shared_ptr<CLI::App> m_app;
};

}  // namespace robust_kbench
