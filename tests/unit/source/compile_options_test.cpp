#include "source/compile_options.hpp"

#include <string>

#include "source/source_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CompileOptions, are_those_of_all_lines) {
  EXPECT_THAT(compile_options_of("// options: -O3  -ffast-math\n"
                                 "int f();  //options: -funroll-loops\n",
                                 false),
              ElementsAre("-O3", "-ffast-math", "-funroll-loops"));
  EXPECT_THAT(compile_options_of("// options: -use_fast_math -maxrregcount=64\n", true),
              ElementsAre("-use_fast_math", "-maxrregcount=64"));
  EXPECT_THAT(compile_options_of("int f();\n", false), IsEmpty());
  EXPECT_THAT(compile_options_of("// options: none\n", false), IsEmpty());
}

TEST(CompileOptions, stand_in_comments_alone) {
  EXPECT_THAT(compile_options_of("const char* text = \"// options: -wrapper\";\n", false),
              IsEmpty());
  EXPECT_THAT(compile_options_of("// This has no options: at all.\n", false), IsEmpty());
}

TEST(CompileOptions, that_start_programs_or_read_files_are_refused) {
  for (const std::string option : {"-wrapper",
                                   "-wrapper,sh",
                                   "-fplugin=x.so",
                                   "-fplugin",
                                   "-B.",
                                   "-B",
                                   "-specs=x",
                                   "--specs=x",
                                   "-ccbin",
                                   "-ccbin=sh",
                                   "--compiler-bindir=.",
                                   "-include",
                                   "-include=x",
                                   "-imacros",
                                   "-I/etc",
                                   "-I",
                                   "-isystem",
                                   "-Xcompiler",
                                   "-Xcompiler=-wrapper",
                                   "-Xlinker",
                                   "-Wl,-rpath,.",
                                   "-Wp,-MD",
                                   "-o",
                                   "-o/tmp/x",
                                   "-x",
                                   "-xassembler",
                                   "@FILE",
                                   "@/etc/passwd",
                                   "-fdump-tree-all",
                                   "-save-temps",
                                   "-M",
                                   "-MF",
                                   "-L.",
                                   "-lm",
                                   "-DX=1",
                                   "-march=native",
                                   "--param",
                                   "-",
                                   "-O3;rm",
                                   "'-O3'",
                                   "\"-O3\"",
                                   "`-O3`",
                                   "$(id)",
                                   "-O3,-wrapper",
                                   "-O3\t-wrapper",
                                   "-O3|-O2",
                                   "-O3\\\n-wrapper",
                                   "-O3\\\r\n-B.",
                                   "-O3\v-I.",
                                   "-O3\xc2\xa0-I.",
                                   "\xe2\x88\x92O3",
                                   "-maxrregcount=64",
                                   "-O0x",
                                   "-O"}) {
    for (const bool cuda : {false, true}) {
      if (cuda && option == "-maxrregcount=64") continue;
      EXPECT_THROW(compile_options_of("// options: " + option + "\n", cuda), SourceError) << option;
      EXPECT_THROW(compile_options_of("// options: -O2 " + option + " -O3\n", cuda), SourceError)
          << option;
      EXPECT_THROW(compile_options_of("// options: -O2  // tune: -O2, " + option + "\n", cuda),
                   SourceError)
          << option;
    }
  }
}

TEST(CompileOptions, of_registers_are_counts_that_a_gpu_has) {
  for (const std::string count :
       {"15", "256", "-1", "", "64x", "0x40", "+64", " 64", "99999999999"}) {
    EXPECT_THROW(compile_options_of("// options: -maxrregcount=" + count + "\n", true), SourceError)
        << count;
  }
}

TEST(CompileOptions, say_line_option_and_what_is_allowed) {
  try {
    compile_options_of("\n// options: -O3 -fplugin=x.so\n", false);
    FAIL();
  } catch (const SourceError& error) {
    EXPECT_EQ(error.line(), 2);
    EXPECT_THAT(error.what(), HasSubstr("line 2: '-fplugin=x.so'"));
    EXPECT_THAT(error.what(), HasSubstr("-funroll-loops"));
  }
}

TEST(CompileOptions, have_alternatives_in_one_line_alone) {
  EXPECT_THROW(compile_options_of("// options: -O3  // tune: -O3, -O2\n"
                                  "// options: none  // tune: none, -ffast-math\n",
                                  false),
               SourceError);
}

}  // namespace
}  // namespace robust_kbench
