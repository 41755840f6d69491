#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include "core/error.hpp"
#include "core/record.hpp"
#include "core/text_file.hpp"
#include "mutation.hpp"
#include "verify/verifier_truth.hpp"

#include <nlohmann/json.hpp>

// mutants list KERNEL...      every mutant of these sources, as a JSON list of `kernel`, `intent`,
//                             `rule`, `place` and `source`
// mutants truths RECORDS...   what record files say of each kernel in each verifier's class, as a
//                             JSON object by the path of the kernel
namespace robust_kbench {
namespace {

using nlohmann::json;

std::string source_of(const std::string& path) {
  std::optional<std::string> text = read_text(path);
  if (!text) throw UserError("kernel " + path + " cannot be read");
  return *std::move(text);
}

json list(const std::vector<std::string>& kernels) {
  json all = json::array();
  for (const std::string& kernel : kernels) {
    for (const mutants::Mutant& mutant : mutants::mutants_of(source_of(kernel))) {
      all.push_back({{"kernel", kernel},
                     {"intent", mutants::to_string(mutant.intent)},
                     {"rule", mutant.rule},
                     {"place", mutant.place},
                     {"source", mutant.source}});
    }
  }
  return all;
}

json truths(const std::vector<std::string>& files) {
  json all = json::object();
  for (const std::string& file : files) {
    for (const KernelRecord& record : kernels_of(json::parse(source_of(file)))) {
      json known = json::object();
      for (const Verifier verifier : verifiers) {
        const auto truth = truth_of(record, verifier);
        if (!truth) continue;
        known[std::string(to_string(verifier))] = {{"valid", truth->valid},
                                                   {"found", truth->found}};
      }
      all[record.path] = known;
    }
  }
  return all;
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2 || (arguments[0] != "list" && arguments[0] != "truths")) {
    std::cerr << "usage: mutants list KERNEL... | mutants truths RECORDS...\n";
    return 2;
  }
  try {
    const std::vector<std::string> files(arguments.begin() + 1, arguments.end());
    std::cout << (arguments[0] == "list" ? robust_kbench::list(files)
                                         : robust_kbench::truths(files))
              << '\n';
  } catch (const std::exception& error) {
    std::cerr << "mutants: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
