include_guard(GLOBAL)

# ccache saves more time than precompiled headers, and never hits with them: GCC never writes the
# same precompiled header twice.
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

Lets a target use precompiled standard headers, and those of torch and GoogleTest where most of its
files use them. GCC instantiates the templates of a precompiled header's inline functions anew in
every file that uses it. So nlohmann/json stays out: it would cost each file 0.8 s, and few use it.
Each of the four combinations is made once for all targets. Our own headers stay out, so that a
change of one compiles only the files that include it. Tests take longer to compile than to run, so
GOOGLE_TEST also leaves out optimisation.
]]
function(robust_kbench_precompile_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH;GOOGLE_TEST" "" "")
  # Precompiled headers only fit code with the same options.
  set(options -fPIC)
  if(arg_GOOGLE_TEST)
    list(APPEND options $<$<CONFIG:Release>:-O0>)
  endif()
  target_compile_options(${target} PRIVATE ${options})
  if(NOT RobustKBench_PRECOMPILE_HEADERS)
    return()
  endif()
  set(carrier robust_kbench_precompiled)
  set(headers <algorithm> <chrono> <filesystem> <functional> <map> <random>)
  set(libraries)
  if(arg_TORCH)
    # One operator's header stands for all, since the headers that they share cost more than the
    # tensor's own.
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
    target_compile_options(${carrier} PRIVATE ${options})
    target_link_libraries(${carrier} PRIVATE ${libraries})
    target_precompile_headers(${carrier} PRIVATE ${headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${carrier})
endfunction()
