#include "core/capability.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

const std::vector<CapabilityUse> uses{{Capability::threads, "GOMP_parallel", "", 0},
                                      {Capability::clocks, "clock_gettime", "kernel.cpp", 12}};

TEST(Capability, NamesAreThoseOfCommandLines) {
  for (const std::string& name : names_in_list(all_capabilities())) {
    EXPECT_EQ(to_string(parse_capability(name)), name);
    EXPECT_NE(examples_of(parse_capability(name)), "");
  }
  EXPECT_EQ(parse_capabilities({"clocks", "all"}), all_capabilities());
  EXPECT_THROW(parse_capabilities({"sockets"}), UserError);
}

TEST(Capability, IsRefusedBySymbolAndLine) {
  EXPECT_EQ(capability_refusal(uses, refused_by_default(Device::cpu)),
            "the kernel's code asks for what this evaluation refuses:\n"
            "  clocks: clock_gettime (kernel.cpp:12)\n"
            "leave it out, or allow clocks (--allow, the setting 'allow' of a run, or ALLOW in "
            "CMake)");
  EXPECT_THAT(capability_refusal(uses, refused_by_default(Device::cuda)),
              testing::HasSubstr("threads: GOMP_parallel\n"));
  EXPECT_EQ(capability_refusal(uses, refused_beyond(Device::cpu, {"clocks"})), "");
  EXPECT_EQ(capability_refusal(uses, {}), "");
}

TEST(Capability, IsShownByItsClass) {
  EXPECT_EQ(used_capabilities(uses), "threads, clocks");
  EXPECT_EQ(used_capabilities({}), "-");
}

}  // namespace
}  // namespace robust_kbench
