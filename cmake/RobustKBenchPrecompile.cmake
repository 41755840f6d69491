include_guard(GLOBAL)

# ccache saves more than they do, and would find nothing again that was made with them: GCC never
# writes the same precompiled header twice.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile OFF)
else()
  set(precompile ON)
endif()
option(RobustKBench_PRECOMPILE_HEADERS
       "Precompile other people's headers, in which a clean build would spend most of its time"
       ${precompile})
unset(precompile)

#[[
robust_kbench_precompile_headers(<target> [TORCH] [GOOGLE_TEST])

Has a target take heavy standard headers precompiled, and those of torch and GoogleTest where most of
its files use them. GCC instantiates the templates of a precompiled header's inline functions anew in
every file that takes it. So nlohmann/json stays out: it would cost each file 0.8 s, and few use it.
Each of the four combinations is made once for all targets. Our own headers stay out, so that
changing one compiles only what includes it.
]]
function(robust_kbench_precompile_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH;GOOGLE_TEST" "" "")
  if(NOT RobustKBench_PRECOMPILE_HEADERS)
    return()
  endif()
  set(carrier robust_kbench_precompiled)
  set(headers <algorithm> <chrono> <filesystem> <functional> <map> <random>)
  set(libraries)
  if(arg_TORCH)
    # Any operator's header: what they all include costs more than the tensor's own.
    list(APPEND headers <ATen/core/Tensor.h> <ATen/ops/empty.h>)
    list(APPEND libraries RobustKBench::torch)
    string(APPEND carrier _torch)
  endif()
  if(arg_GOOGLE_TEST)
    list(APPEND headers <gmock/gmock.h>)
    list(APPEND libraries GTest::gmock)
    string(APPEND carrier _google_test)
  endif()
  if(NOT TARGET ${carrier})
    file(CONFIGURE OUTPUT ${RobustKBench_BINARY_DIR}/CMakeFiles/${carrier}.cpp CONTENT "")
    add_library(${carrier} OBJECT ${RobustKBench_BINARY_DIR}/CMakeFiles/${carrier}.cpp)
    target_compile_features(${carrier} PUBLIC cxx_std_20)
    target_compile_options(${carrier} PRIVATE -fPIC)
    target_link_libraries(${carrier} PRIVATE ${libraries})
    target_precompile_headers(${carrier} PRIVATE ${headers})
  endif()
  # They fit only code that is compiled alike.
  target_compile_options(${target} PRIVATE -fPIC)
  target_precompile_headers(${target} REUSE_FROM ${carrier})
endfunction()
