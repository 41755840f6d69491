#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command/command_line.hpp"
#include "evaluate/evaluator.hpp"
#include "evaluate/source_options.hpp"
#include "evaluate/suite.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// --against and --fail-if. `against` names the baselines, kernels of the build and source files
// against which kernels are timed.
struct OpponentOptions {
  std::vector<std::string> against{"eager"};
  std::string fail_if;  // "slower", "slower:PERCENT" or empty
};

// Declares both options. `options` outlives the parsing.
void add_opponent_options(CommandLine& command, OpponentOptions& options);

// The opponents of the kernels of one entry and device.
struct Opponents {
  std::vector<std::string> baselines;          // see baselines_among()
  std::map<std::string, KernelSource> rivals;  // by the names that --against gives them
};

// Returns the baselines that `against` names on a device, or eager where it names none.
std::vector<std::string> baselines_among(const std::vector<std::string>& against, Device device);

// Finds what `against` names for the entry and device of `kernel`. Source files are compiled as
// `source` says. Throws UserError that lists what there is.
Opponents opponents_of(const Suite& suite, const std::vector<std::string>& against,
                       const KernelSource& kernel, const SourceOptions& source);

// Rivals of an evaluator's kernels, tested like these. A rival that does not pass does not race.
class TestedRivals {
 public:
  // Compiles and tests the rivals as `like` says, which may also time, and tells its progress.
  TestedRivals(Evaluator& evaluator, const std::map<std::string, KernelSource>& rivals,
               const Request& like);

  // Returns the rivals that race.
  [[nodiscard]] const std::map<std::string, KernelSource>& racing() const { return m_racing; }
  // Adds the rejected rivals to the record of a kernel.
  void complete(KernelRecord& record) const;

 private:
  std::map<std::string, KernelSource> m_racing;
  std::vector<RivalRecord> m_rejected;
};

// The limit of --fail-if on the means over configs.
class SlowerLimit {
 public:
  // Throws UserError for anything but "slower" and "slower:PERCENT".
  explicit SlowerLimit(const std::string& fail_if);

  // Returns why a kernel that passed fails: it is proven slower than one of `against`. Empty where
  // it is not. Throws UserError where one of `against` was not timed beside it.
  [[nodiscard]] std::string failure(const KernelRecord& record,
                                    const std::vector<std::string>& against) const;

 private:
  std::optional<double> m_percent;  // none: beyond what counts as the same
};

// What --fail-if finds in the records of a command.
class SlowerKernels {
 public:
  // `records` outlive this object.
  SlowerKernels(const OpponentOptions& options, const std::vector<KernelRecord>& records);

  // Tells reporters which kernels fail, before the end of the report.
  void report(Reporter& reporter) const;
  // Prints to stderr which kernels fail, and why. Returns the command's exit code, which was
  // `exit_code` before. Throws UserError where a kernel was not timed against what --against names.
  [[nodiscard]] int tell(int exit_code) const;

 private:
  std::vector<std::pair<const KernelRecord*, std::string>> m_failures;  // why
  std::string m_option;                                                 // as the user gave it
  std::string m_undecided;                                              // empty: none is
};

}  // namespace robust_kbench
