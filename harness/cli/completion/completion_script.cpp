#include "cli/completion/completion_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace robust_kbench {
namespace {

using Commands = std::vector<CompletedCommand>;

// Returns the last word of a command that lies directly below `above`, or nothing for any other.
std::string word_below(const CompletedCommand& command, const CompletedCommand& above) {
  const std::string begin = above.path + " ";
  if (!command.path.starts_with(begin)) return "";
  const std::string word = command.path.substr(begin.size());
  return word.find(' ') == std::string::npos ? word : "";
}

std::string words_after(const CompletedCommand& command, const Commands& commands) {
  std::vector<std::string> words = command.arguments;
  for (const CompletedCommand& other : commands) {
    if (std::string word = word_below(other, command); !word.empty()) words.push_back(word);
  }
  for (const CompletedOption& option : command.options) {
    words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{}", fmt::join(words, " "));
}

// The words after each command and the choices of each option as cases, and a function that reads
// them. Where an option takes any value there are no choices, and the shell completes files.
std::string bash_script(const Commands& commands) {
  std::string words;
  std::string values;
  for (const CompletedCommand& command : commands) {
    words += fmt::format("    '{}') echo '{}' ;;\n", command.path, words_after(command, commands));
    for (const CompletedOption& option : command.options) {
      if (!option.takes_value) continue;
      for (const std::string& name : option.names) {
        values += fmt::format("    '{} {}') echo '{}' ;;\n", command.path, name,
                              fmt::join(option.choices, " "));
      }
    }
  }
  return "_rkb_words() {\n  case $1 in\n" + words + "  esac\n}\n\n" +
         "_rkb_values() {\n  case $1 in\n" + values + "    *) return 1 ;;\n  esac\n}\n" + R"sh(
_rkb() {
  local word values command=rkb last= current=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    last=$word
    case $word in -*) continue ;; esac
    case " $(_rkb_words "$command") " in *" $word "*) command="$command $word" ;; esac
  done
  if ! values=$(_rkb_values "$command $last") && ! values=$(_rkb_values "rkb $last"); then
    values="$(_rkb_words "$command")"
    if [ "$command" != rkb ]; then values="$values $(_rkb_words rkb | tr ' ' '\n' | grep '^-')"; fi
  fi
  COMPREPLY=($(compgen -W "$values" -- "$current"))
}
complete -o default -F _rkb rkb
)sh";
}

std::string fish_word(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string fish_option(const CompletedOption& option) {
  std::string words;
  for (const std::string& name : option.names) {
    words += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.choices.empty()) {
    words += " -x -a " + fish_word(fmt::format("{}", fmt::join(option.choices, " ")));
  } else if (option.takes_value) {
    words += " -r";
  }
  return words + " -d " + fish_word(option.text);
}

std::string fish_script(const Commands& commands) {
  std::string paths;
  std::string lines;
  for (const CompletedCommand& command : commands) {
    paths += " " + fish_word(command.path);
    const std::string here =
        "complete -c rkb -n " + fish_word("__rkb_at " + fish_word(command.path));
    for (const CompletedCommand& other : commands) {
      const std::string word = word_below(other, command);
      if (!word.empty()) lines += here + " -f -a " + word + " -d " + fish_word(other.text) + "\n";
    }
    for (const std::string& argument : command.arguments)
      lines += here + " -f -a " + argument + "\n";
    // Options of the program follow any command.
    const bool is_program = &command == &commands.front();
    for (const CompletedOption& option : command.options) {
      lines += (is_program ? "complete -c rkb" : here) + fish_option(option) + "\n";
    }
  }
  return "set -g __rkb_commands" + paths + R"sh(

function __rkb_at
  set -l command rkb
  for word in (commandline -opc)[2..]
    contains -- "$command $word" $__rkb_commands; and set command "$command $word"
  end
  test "$command" = "$argv[1]"
end

)sh" + lines;
}

}  // namespace

std::string completion_script(const std::string& shell, const Commands& commands) {
  const std::string origin = "# `rkb completion " + shell + "` writes this.\n";
  if (shell == "fish") return origin + fish_script(commands);
  const std::string prepared =
      shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return origin + prepared + bash_script(commands);
}

}  // namespace robust_kbench
