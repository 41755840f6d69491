#pragma once

#include <robust_kbench/shim/check.h>
#include <robust_kbench/shim/scalar_type.h>

// AT_DISPATCH_*: a lambda is instantiated for each element type, and run time chooses the instance.
// Inside it, `scalar_t` is the type.
namespace rkb {

template <ScalarType type>
struct ScalarTypeToCpp;

#define RKB_MAP_CPP_TYPE(name, cpp)          \
  template <>                                \
  struct ScalarTypeToCpp<ScalarType::name> { \
    using type = cpp;                        \
  };
RKB_MAP_CPP_TYPE(Byte, std::uint8_t)
RKB_MAP_CPP_TYPE(Char, std::int8_t)
RKB_MAP_CPP_TYPE(Short, std::int16_t)
RKB_MAP_CPP_TYPE(Int, std::int32_t)
RKB_MAP_CPP_TYPE(Long, std::int64_t)
RKB_MAP_CPP_TYPE(Half, ::rkb::Half)
RKB_MAP_CPP_TYPE(Float, float)
RKB_MAP_CPP_TYPE(Double, double)
RKB_MAP_CPP_TYPE(Bool, bool)
RKB_MAP_CPP_TYPE(BFloat16, ::rkb::BFloat16)
#undef RKB_MAP_CPP_TYPE

[[noreturn]] RKB_COLD void dispatch_failed(const char* name, ScalarType type);

}  // namespace rkb

#define AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, HINT, ...)                       \
  case enum_type: {                                                                 \
    using HINT [[maybe_unused]] = typename ::rkb::ScalarTypeToCpp<enum_type>::type; \
    return __VA_ARGS__();                                                           \
  }

#define AT_DISPATCH_CASE(enum_type, ...) \
  AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, scalar_t, __VA_ARGS__)

#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                \
  [&] {                                                    \
    const ::rkb::ScalarType rkb_dispatched_type = TYPE;    \
    switch (rkb_dispatched_type) {                         \
      __VA_ARGS__                                          \
      default:                                             \
        ::rkb::dispatch_failed(NAME, rkb_dispatched_type); \
    }                                                      \
  }()

#define AT_DISPATCH_CASE_FLOATING_TYPES(...)               \
  AT_DISPATCH_CASE(::rkb::ScalarType::Double, __VA_ARGS__) \
  AT_DISPATCH_CASE(::rkb::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)             \
  AT_DISPATCH_CASE(::rkb::ScalarType::Byte, __VA_ARGS__) \
  AT_DISPATCH_CASE(::rkb::ScalarType::Char, __VA_ARGS__) \
  AT_DISPATCH_CASE(::rkb::ScalarType::Int, __VA_ARGS__)  \
  AT_DISPATCH_CASE(::rkb::ScalarType::Long, __VA_ARGS__) \
  AT_DISPATCH_CASE(::rkb::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)        \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...) \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)        \
  AT_DISPATCH_CASE(::rkb::ScalarType::Half, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)     \
  AT_DISPATCH_CASE(::rkb::ScalarType::Half, __VA_ARGS__) \
  AT_DISPATCH_CASE(::rkb::ScalarType::BFloat16, __VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(__VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(                                       \
      TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(T1, T2, TYPE, NAME, ...)  \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                  \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__) \
                         AT_DISPATCH_CASE(T1, __VA_ARGS__) AT_DISPATCH_CASE(T2, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                    \
  AT_DISPATCH_SWITCH(                                                               \
      TYPE, NAME,                                                                   \
      AT_PRIVATE_CASE_TYPE_USING_HINT(::rkb::ScalarType::Int, index_t, __VA_ARGS__) \
          AT_PRIVATE_CASE_TYPE_USING_HINT(::rkb::ScalarType::Long, index_t, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(T1, TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME,                       \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(T1, T2, TYPE, NAME, ...)                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                               \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND3(T1, T2, T3, TYPE, NAME, ...)                                \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                               \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__) AT_DISPATCH_CASE(T1, __VA_ARGS__) \
                         AT_DISPATCH_CASE(T2, __VA_ARGS__) AT_DISPATCH_CASE(T3, __VA_ARGS__))
