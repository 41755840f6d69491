#include "command/help_example.hpp"

#include <map>

namespace robust_kbench {
namespace {

// A test parses each of them.
const std::map<std::string, std::string> examples{
    {"rkb", "rkb evaluate --task mnist_linear my_kernel.cpp"},
    {"rkb doctor", "rkb doctor"},
    {"rkb list", "rkb list mnist_linear"},
    {"rkb test", "rkb test --task mnist_linear --kernel blocked"},
    {"rkb bench", "rkb bench --task mnist_linear --against eager,compile"},
    {"rkb evaluate", "rkb evaluate --task mnist_linear edit.cpp --against my_kernel.cpp"},
    {"rkb import", "rkb import my_op.py --config batch_size=16"},
    {"rkb compile-baseline", "rkb compile-baseline my_op.task.json"},
    {"rkb new", "rkb new mnist_linear my_kernel.cpp"},
    {"rkb profile", "rkb profile --task mnist_linear --direction forward --kernel my_kernel.cu"},
    {"rkb report", "rkb report records.json --html page.html"},
    {"rkb compare", "rkb compare base.json contender.json"},
    {"rkb demo", "rkb demo --all"},
    {"rkb compile", "rkb compile --quick my_kernel.cpp"},
    {"rkb completion", "rkb completion bash > ~/.local/share/bash-completion/completions/rkb"},
    {"rkb help", "rkb help evaluate"},
    {"rkb serve", "rkb serve --listen unix:/tmp/rkb.socket"},
    {"rkb filter", "rkb filter mnist_linear"},
    {"rkb evolve", "rkb evolve --task layernorm --set minutes=3"},
    {"rkb evolve submit", "rkb evolve submit RUN my_kernel.cpp"},
    {"rkb pilot", "rkb pilot /shared/my_run"},
    {"rkb tune", "rkb tune --task mnist_linear --seed-kernel my_kernel.cpp"},
    {"rkb translate", "rkb translate --task mnist_linear --max-usd 1 my_kernel.cu"},
    {"rkb verify", "rkb verify --task mnist_linear --max-usd 1 my_kernel.cu"},
    {"rkb tune-verifier",
     "rkb tune-verifier --verifier memory --labelled-set labels.json --max-usd 1"},
    {"rkb archive", "rkb archive list"},
    {"rkb archive list", "rkb archive list"},
    {"rkb archive show", "rkb archive show RUN"},
    {"rkb archive costs", "rkb archive costs RUN"},
    {"rkb archive diff", "rkb archive diff RUN 7"},
    {"rkb archive export", "rkb archive export RUN"},
    {"rkb archive best", "rkb archive best"},
    {"rkb archive report", "rkb archive report RUN --html page.html"},
    {"rkb archive adopt", "rkb archive adopt RUN"},
    {"rkb archive generalise", "rkb archive generalise RUN"},
};

}  // namespace

std::string help_example(const std::string& command) {
  const auto found = examples.find(command);
  return found == examples.end() ? "" : found->second;
}

}  // namespace robust_kbench
