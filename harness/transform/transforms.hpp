#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// A remark of a compiler or a profiler on a line, as g++ makes with -fopt-info-vec-missed. It may
// also be an advice by its name, such as "uncoalesced" and "bank_conflicts".
struct Remark {
  int line;  // from 1; 0: of the whole source
  std::string text;
};

// A source after an edit.
struct Transform {
  std::string rule;
  std::string summary;  // one line for people
  int line;             // of the source before the edit, from 1
  std::string source;   // the whole new text
};

// Every edit that the rules offer for a kernel's source, most promising first. First come several
// rules one after another, their names joined by '+'. Then each rule at all of its places, then at
// each of them. The order and the texts depend on the arguments alone. Remarks move the edits of
// their lines forward, and some rules need one. `cuda` says that the source is a .cu. A source that
// the rules do not understand has no transforms.
std::vector<Transform> transforms_of(std::string_view source, bool cuda,
                                     const std::vector<Remark>& remarks);

}  // namespace robust_kbench
