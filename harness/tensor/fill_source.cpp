#include "tensor/fill_source.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "core/cipher.hpp"
#include "tensor/fill.hpp"

#include <fmt/format.h>

// These kernels repeat the arithmetic of fill.cpp and of the cipher step by step. The comments
// there give the reasons.
namespace robust_kbench {
namespace {

std::string literal(float value) {
  return fmt::format("0f{:08X}", std::bit_cast<std::uint32_t>(value));
}

std::string word(std::size_t i) {
  return fmt::format("%word{}", i);
}

std::string add_xor_rotate(std::size_t sum, std::size_t term, std::size_t rotated, int bits) {
  return fmt::format(
      "add.u32 %word{0}, %word{0}, %word{1};\n"
      "xor.b32 %word{2}, %word{2}, %word{0};\n"
      "shf.l.wrap.b32 %word{2}, %word{2}, %word{2}, {3};\n",
      sum, term, rotated, bits);
}

std::string quarter_round(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  return add_xor_rotate(a, b, d, 16) + add_xor_rotate(c, d, b, 12) + add_xor_rotate(a, b, d, 8) +
         add_xor_rotate(c, d, b, 7);
}

// Makes the words of the cipher's block %index.
std::string cipher_ptx() {
  std::string source;
  for (std::size_t i = 0; i < cipher_words; ++i) {
    source += fmt::format("mov.u32 {}, {};\n", word(i),
                          i < cipher_constants.size() ? cipher_constants[i] : 0);
  }
  const auto split = [](std::size_t first, std::string_view number) {
    return fmt::format("mov.b64 {{{}, {}}}, {};\n", word(first), word(first + 1), number);
  };
  source += split(cipher_key_word, "%key") + split(cipher_counter_word, "%index");
  for (int i = 0; i < cipher_double_rounds; ++i) {
    for (std::size_t column = 0; column < 4; ++column) {
      source += quarter_round(column, 4 + column, 8 + column, 12 + column);
    }
    for (std::size_t column = 0; column < 4; ++column) {
      source +=
          quarter_round(column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4);
    }
  }
  for (std::size_t i = 0; i < cipher_constants.size(); ++i) {
    source += fmt::format("add.u32 {0}, {0}, {1};\n", word(i), cipher_constants[i]);
  }
  const auto add_split = [](std::size_t first, std::string_view number) {
    return fmt::format(
        "mov.b64 {{%low, %high}}, {2};\n"
        "add.u32 {0}, {0}, %low;\n"
        "add.u32 {1}, {1}, %high;\n",
        word(first), word(first + 1), number);
  };
  return source + add_split(cipher_key_word, "%key") + add_split(cipher_counter_word, "%index");
}

// Sets `sum` to the sum of series[i] x^i.
std::string polynomial_ptx(std::string_view sum, std::string_view x, const Series& series) {
  std::string source = fmt::format("mov.f32 {}, {};\n", sum, literal(series.back()));
  for (std::size_t i = series.size() - 1; i-- > 0;) {
    source += fmt::format("fma.rn.f32 {0}, {0}, {1}, {2};\n", sum, x, literal(series[i]));
  }
  return source;
}

// Sets %x to the natural logarithm of %x.
std::string log_ptx() {
  return R"(
  mov.b32 %bits, %x;
  sub.s32 %bits, %bits, 0x3f3504f3;
  shr.s32 %exponent, %bits, 23;
  and.b32 %bits, %bits, 0x7fffff;
  add.s32 %bits, %bits, 0x3f3504f3;
  mov.b32 %m, %bits;
  sub.rn.f32 %s, %m, 0f3F800000;
  add.rn.f32 %m, %m, 0f3F800000;
  div.rn.f32 %s, %s, %m;
  mul.rn.f32 %square, %s, %s;
)" + polynomial_ptx("%sum", "%square", log_series) +
         R"(
  add.rn.f32 %s, %s, %s;
  mul.rn.f32 %s, %s, %sum;
  cvt.rn.f32.s32 %x, %exponent;
  fma.rn.f32 %x, %x, )" +
         literal(std::numbers::ln2_v<float>) + ", %s;\n";
}

// Sets %x and %y to the point of the unit circle that %high gives.
std::string circle_ptx() {
  return R"(
  shl.b32 %bits, %high, 2;
  cvt.rn.f32.s32 %s, %bits;
  mul.rn.f32 %s, %s, )" +
         literal(std::numbers::pi_v<float> * 0x1p-33F) + R"(;
  mul.rn.f32 %square, %s, %s;
)" + polynomial_ptx("%sum", "%square", sine_series) +
         "mul.rn.f32 %s, %s, %sum;\n" + polynomial_ptx("%sum", "%square", cosine_series) + R"(
  and.b32 %bits, %high, 0x40000000;
  setp.ne.u32 %odd, %bits, 0;
  neg.f32 %m, %sum;
  selp.f32 %x, %s, %sum, %odd;
  selp.f32 %y, %m, %s, %odd;
  and.b32 %high, %high, 0x80000000;
  mov.b32 %bits, %x;
  xor.b32 %bits, %bits, %high;
  mov.b32 %x, %bits;
  mov.b32 %bits, %y;
  xor.b32 %bits, %bits, %high;
  mov.b32 %y, %bits;
)";
}

// Writes register `value` as the thread's element `i`, if the stream has it.
std::string store_ptx(std::string_view value, std::size_t i) {
  const std::size_t element = i * cipher_lanes;
  return fmt::format(
      "setp.gt.s64 %wanted, %left, {};\n"
      "@%wanted st.global.f32 [%to + {}], {};\n",
      element, element * sizeof(float), value);
}

// The two normals of two words. %a is the mean and %b the standard deviation.
std::string normals_ptx(std::size_t i) {
  const std::size_t partner = i + cipher_words / 2;
  return fmt::format(
             "shr.u32 %bits, {}, 1;\n"
             "mov.b32 %high, {};\n"
             "cvt.rn.f32.s32 %x, %bits;\n"
             "fma.rn.f32 %x, %x, {}, {};\n",
             word(i), word(partner), literal(0x1p-31F), literal(0x1p-32F)) +
         log_ptx() + R"(
  mul.rn.f32 %x, %x, 0fC0000000;
  sqrt.rn.f32 %x, %x;
  mul.rn.f32 %radius, %b, %x;
)" + circle_ptx() +
         R"(
  fma.rn.f32 %x, %radius, %x, %a;
  fma.rn.f32 %y, %radius, %y, %a;
)" + store_ptx("%x", i) +
         store_ptx("%y", partner);
}

// The number of one word. %a is the least, %b the span, and %c the last.
std::string uniform_ptx(std::size_t i) {
  return fmt::format(
             "shr.u32 %bits, {}, 8;\n"
             "cvt.rn.f32.s32 %x, %bits;\n"
             "mul.rn.f32 %x, %x, {};\n",
             word(i), literal(0x1p-24F)) +
         R"(
  fma.rn.f32 %x, %b, %x, %a;
  setp.lt.f32 %wanted, %x, %c;
  selp.f32 %x, %x, %c, %wanted;
)" + store_ptx("%x", i);
}

std::string kernel_ptx(std::string_view name, const std::string& stores) {
  return fmt::format(R"(
.visible .entry {}(.param .u64 elements, .param .u64 count, .param .u64 of_stream,
                   .param .f32 first, .param .f32 second, .param .f32 third)
{{
  .reg .pred %wanted, %odd;
  .reg .b32 %word<{}>;
  .reg .b32 %low, %high, %bits, %exponent;
  .reg .f32 %a, %b, %c, %x, %y, %m, %s, %square, %sum, %radius;
  .reg .b64 %key, %index, %thread, %left, %to, %first;
  ld.param.u64 %to, [elements];
  ld.param.u64 %left, [count];
  ld.param.u64 %key, [of_stream];
  ld.param.f32 %a, [first];
  ld.param.f32 %b, [second];
  ld.param.f32 %c, [third];
  cvta.to.global.u64 %to, %to;
  mov.u32 %low, %ctaid.x;
  mov.u32 %high, %ntid.x;
  mul.wide.u32 %index, %low, %high;
  mov.u32 %low, %tid.x;
  cvt.u64.u32 %thread, %low;
  add.u64 %index, %index, %thread;
  div.u64 %first, %index, {};
  rem.u64 %thread, %index, {};
  mad.lo.u64 %first, %first, {}, %thread;
  sub.s64 %left, %left, %first;
  mad.lo.u64 %to, %first, 4, %to;
)",
                     name, cipher_words, cipher_lanes, cipher_lanes, block_elements) +
         cipher_ptx() + stores + "ret;\n}\n";
}

}  // namespace

std::string fill_source() {
  std::string normals;
  std::string uniforms;
  for (std::size_t i = 0; i < cipher_words / 2; ++i) normals += normals_ptx(i);
  for (std::size_t i = 0; i < cipher_words; ++i) uniforms += uniform_ptx(i);
  return ".version 6.0\n.target sm_60\n.address_size 64\n" + kernel_ptx("normal", normals) +
         kernel_ptx("uniform", uniforms);
}

}  // namespace robust_kbench
