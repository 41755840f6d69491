#pragma once

#include <ostream>
#include <string>
#include <vector>

// What GitHub Actions reads from a step: workflow commands in its log, and the step's summary.
namespace robust_kbench {

// A note on a run's page, and on the file where one is named.
struct Annotation {
  enum class Level { error, warning };
  Level level = Level::error;
  std::string title;
  std::string file = {};  // a path from the repository's root; empty: none
  std::string message;    // any text
};

// GitHub shows ten errors and ten warnings of a step, and drops the rest without a word.
inline constexpr std::size_t most_annotations = 10;

// The annotation as a line that GitHub takes for a command, and in which no text ends it or begins
// another.
std::string workflow_command(const Annotation& annotation);

// Turns workflow commands off while an object lives, so that nothing that kernels or compilers
// print is one. The word that turns them on again is random.
class CommandsOff {
 public:
  // Says so in both streams, which a step's log joins.
  CommandsOff(std::ostream& out, std::ostream& err);
  CommandsOff(const CommandsOff&) = delete;
  CommandsOff& operator=(const CommandsOff&) = delete;
  ~CommandsOff();

 private:
  std::ostream& m_out;
  std::string m_word;
};

// Prints the first ten annotations. The last of them says how many are left out.
void annotate(std::ostream& out, std::vector<Annotation> worst_first);

// Appends Markdown to the summary of the step, the file that GITHUB_STEP_SUMMARY names. GitHub
// takes 1 MiB of it; the rest is cut. Says on `err` why there is no summary where the variable is
// not set, or the file cannot be written.
void add_to_step_summary(const std::string& markdown, std::ostream& err);

// The file's path from the repository's root, which GITHUB_WORKSPACE names, or from the working
// directory. Empty for a file outside of it.
std::string path_in_repository(const std::string& path);

}  // namespace robust_kbench
