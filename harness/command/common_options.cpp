#include "command/common_options.hpp"

#include <algorithm>
#include <stdexcept>

#include "evaluate/several_gpus.hpp"

namespace robust_kbench {
namespace {

std::vector<CommonOption> all_common_options() {
  return {
      // These choose the kernels of a command.
      {"--task", "The operator that kernels implement, as `rkb list` names it"},
      {"--direction",
       "What kernels compute: the operator, or its gradients",
       {"forward", "backward"}},
      {"--device", "What kernels run on", {"cpu", "cuda"}},
      {"--kernel", "A kernel by its name in the build"},
      {"--gpus",
       "GPUs to spread CUDA kernels over, as 0,1,2; default: the first one",
       {},
       {{0, max_gpus - 1}},
       true},

      // These say how source files are compiled.
      {"--source", "A further source file of the kernel"},
      {"--headers",
       "shim: ours alone; torch: torch's own, which take a minute; auto: shim, and torch's where "
       "the compiler misses something that torch has",
       {"auto", "shim", "torch", "slim"}},
      {"-I,--include", "A directory of headers"},
      {"-D,--define", "A macro, as -D WIDTH=4"},
      {"--option", "A compiler option, as --option=-funroll-loops"},
      {"--library", "What to link: a path, or --library=-lNAME"},
      {"--entry",
       "The function to call, as PYBIND11_MODULE names it, or as a file without one defines it; "
       "default: forward or backward, as the direction"},
      {"--no-cache", "Compile what has been compiled before, too"},

      // These choose the cases of a test.
      {"--configs",
       "The lists of the task's config files that are used",
       {"single", "multi", "small"}},
      {"--config", "Shapes of your own, as batch_size=16,num_features=64; may be repeated"},
      {"--scope",
       "quick: one case of each kind, a listed config, a drawn one and each probe; listed: only "
       "the "
       "configs that the task's files list",
       {"full", "quick", "listed"}},
      {"--require-shapes",
       "Reject a kernel that refuses a drawn config or a probe by an error, or a small config on "
       "CUDA"},
      {"--case", "One case by its name, as `rkb list TASK` prints it"},
      {"--nonce", "Decides drawn configs, and keys the calls between: replays both exactly"},
      {"--seeds", "Cases a config", {}, {{1, 1'000'000}}},
      {"--all-cases",
       "Go on after the third case that fails; a second timeout, or a second lack of GPU memory, "
       "is the end all the same"},
      {"--show-output",
       "Show all that kernels print in their cases, not only the end of it where one fails"},

      {"--all", "All that there is"},
      {"--timeout", "Seconds that each source or package may take", {}, {{1, 86400}}},

      // These say what is timed, and how.
      {"--against",
       "Baselines: eager; compile, of which target compile_packages or `rkb compile-baseline` "
       "makes packages; on a GPU also empty and graph, and all but empty with _tf32 behind",
       {},
       {},
       true},
      {"--fail-if",
       "slower or slower:PERCENT: exit with 1 where the interval over all configs proves a kernel "
       "slower than something that --against names, or by more than PERCENT"},
      {"--call-timeout",
       "Seconds in which a kernel must be loaded, and do a batch of calls",
       {},
       {{1, 3600}}},

      // These name the files of results.
      {"--json", "Write the results to this file; - is stdout, and all else goes to stderr then"},
      {"--junit", "Write the results as JUnit's XML to this file; - is stdout, as of --json"},
      {"--csv", "Write a table of times and verdicts for spreadsheets; - is stdout, as of --json"},
      {"--report",
       "What to print; github: tables in the log, Markdown in the summary of the step, and "
       "annotations for what is worst, as GitHub Actions reads them",
       {"console", "markdown", "github"}},
      {"--html",
       "Write one HTML page to this file, which needs no network; - is stdout, as of --json"},
      {"--allow", "What the kernels' code may ask for, classes with commas between them"},
      {"--out", "Where to write what is made"},
      {"--name", "How to call what is made"},

      // These spread work over machines (docs/cluster.md).
      {"--workers",
       "Evaluate on pilots, on other machines: slurm starts them as Slurm's jobs, own waits for "
       "those that you start (docs/cluster.md)",
       {"slurm", "own"}},
      {"--run-directory", "A folder that all machines see, by which they talk; for --workers"},
      {"--pilot-count", "How many are started, or expected; for --workers", {}, {{1, 10'000}}},
      {"--sbatch",
       "An option for Slurm, as --sbatch=--partition=gpu --sbatch=--gpus=1; may be repeated"},
      {"--pilot-option",
       "An option of `rkb pilot` for those that Slurm starts, as --pilot-option=--slots=4; may be "
       "repeated"},
      {"--lease",
       "Seconds without a sign of a pilot after which others get its candidates; for --workers",
       {},
       {{0.5, 3600}}},

      // These are for evolutions and for other commands that ask language models.
      {"--archive",
       "Directory of the archive; default: $ROBUST_KBENCH_ARCHIVE, else evolution/ in the build "
       "that the manifest is of"},
      {"--resume", "Go on with this run of the archive"},
      {"--replay",
       "Take the settings and every answer from this recorded run, RUN or DIRECTORY:RUN"},
      {"--settings", "A JSON file of settings, as `rkb evolve --schema` describes them"},
      {"--set", "A setting as key=value"},
      {"--max-usd", "Ask language models, and spend at most so many dollars (docs/models.md)"},
      {"--max-tokens", "The same in tokens, input and output"},
      {"--max-calls", "The same in attempts to ask a model"},
      {"--dry-run", "Print the plan and what models are asked, and end"},
      {"--unsafe",
       "Run kernels of programs, agents and models also where the sandbox keeps not all promises"},
      {"--model", "The model that is asked, as provider/name"},
      {"--verifier", "One of the verifiers", {"compilation", "memory", "numerics"}},
      {"--labelled-set", "A file of kernels with known errors (docs/verifiers.md)"},
  };
}

}  // namespace

const std::vector<CommonOption>& common_options() {
  static const std::vector<CommonOption> all = all_common_options();
  return all;
}

const CommonOption& common_option(const std::string& name) {
  const auto found = std::ranges::find_if(
      common_options(), [&](const CommonOption& option) { return option.names.ends_with(name); });
  if (found == common_options().end()) throw std::logic_error(name + " is no common option");
  return *found;
}

}  // namespace robust_kbench
