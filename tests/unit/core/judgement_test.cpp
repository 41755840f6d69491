#include "core/judgement.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/kernel_headers.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Verdict, NamesAreReadBack) {
  EXPECT_EQ(parse_verdict(to_string(Verdict::out_of_memory)), Verdict::out_of_memory);
  EXPECT_EQ(parse_cheat_class(to_string(CheatClass::left_process)), CheatClass::left_process);
  EXPECT_THROW(parse_verdict("passed"), UserError);
}

TEST(Verdict, ACheatOutranksACrashAndEverythingAPass) {
  EXPECT_TRUE(outranks(Verdict::cheat, Verdict::crash));
  EXPECT_TRUE(outranks(Verdict::skipped, Verdict::pass));
  EXPECT_FALSE(outranks(Verdict::pass, Verdict::pass));
}

TEST(Judgement, IsNoPassByDefault) {
  EXPECT_FALSE(Judgement().passes());
  EXPECT_TRUE(passed().passes());
}

TEST(Judgement, LabelNamesTheClassOfACheat) {
  EXPECT_EQ(label(cheat(CheatClass::late_write, "late")), "cheat (late_write)");
  EXPECT_EQ(label(wrong_result("off")), "wrong_result");
}

TEST(Rejection, CarriesTheJudgement) {
  const Rejection rejection(cheat(CheatClass::timing, "too fast"));
  EXPECT_EQ(rejection.judgement(), cheat(CheatClass::timing, "too fast"));
  EXPECT_STREQ(rejection.what(), "too fast");
}

TEST(Device, NamesAreReadBack) {
  for (const Device device : {Device::cpu, Device::cuda}) {
    EXPECT_EQ(parse_device(to_string(device)), device);
  }
  EXPECT_THROW(parse_device("gpu"), UserError);
}

TEST(KernelHeaders, NamesAreReadBackAndTheShimsFormerOneToo) {
  for (const auto headers : {KernelHeaders::automatic, KernelHeaders::shim, KernelHeaders::torch}) {
    EXPECT_EQ(parse_kernel_headers(to_string(headers)), headers);
  }
  EXPECT_EQ(parse_kernel_headers("slim"), KernelHeaders::shim);
  EXPECT_THROW(parse_kernel_headers("none"), UserError);
}

}  // namespace
}  // namespace robust_kbench
