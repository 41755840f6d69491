#include "prompt/local_headers.hpp"

#include "core/output_file.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const LocalHeader sums{"sums.hpp", "#pragma once\n"};
const LocalHeader dot{"dot.hpp", "#include \"sums.hpp\"\n"};

TEST(LocalHeaders, AreThoseOfAllKernelsOnce) {
  const TemporaryDirectory directory("headers");
  OutputFile(directory.path() / sums.name).write(sums.text);
  OutputFile(directory.path() / dot.name).write(dot.text);
  OutputFile(directory.path() / "a.cpp")
      .write(std::string("#include <vector>\n#include \"dot.hpp\"\n"));
  OutputFile(directory.path() / "b.cpp")
      .write(std::string("#include \"sums.hpp\"\n#include \"none.hpp\"\n"));
  OutputFile(directory.path() / "c.cpp").write(std::string("#include \"a.cpp\"\n"));
  std::vector<KernelSource> kernels;
  for (const char* const name : {"a.cpp", "b.cpp", "c.cpp"}) {
    kernels.push_back({.sources = {directory.path() / name}});
  }
  EXPECT_THAT(local_headers(kernels), ElementsAre(dot, sums));
}

TEST(IncludedHeaders, AreThoseOfTheTextsAndWhatTheseInclude) {
  const std::vector<LocalHeader> all{dot, sums};
  EXPECT_THAT(included_headers(all, {"int x;\n  #include \"../../common/dot.hpp\"\n"}),
              ElementsAre(dot, sums));
  EXPECT_THAT(included_headers(all, {"#include \"sums.hpp\"\n", "#include \"sums.hpp\"\n"}),
              ElementsAre(sums));
  EXPECT_THAT(included_headers(all, {"// \"sums.hpp\"\n#include \"my_dot.hpp\"\n"}), IsEmpty());
}

TEST(IncludedHeaders, AreNoneThatWereNotGiven) {
  EXPECT_THAT(included_headers({}, {"#include \"../../../secret.hpp\"\n"}), IsEmpty());
}

}  // namespace
}  // namespace robust_kbench
