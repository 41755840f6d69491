# cmake -D COMPILER=<g++> -D ROOT=<source tree> -D SYSTEM_INCLUDE=<directory> -P headers_test.cmake
#
# Each header that task authors and kernels include compiles alone, and twice in a row.

cmake_policy(VERSION 3.25.1)
set(failed)
function(check directory include)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FLAGS")
  file(WRITE header.cpp "#include <${include}>\n#include <${include}>\n")
  execute_process(
    COMMAND ${COMPILER} -fsyntax-only -fmax-errors=3 -Wall -Wextra -I${directory} ${arg_FLAGS} header.cpp
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message("${include} does not compile alone:\n${output}")
    set(failed ${failed} ${include} PARENT_SCOPE)
  endif()
endfunction()

set(public ${ROOT}/harness/include)
file(GLOB headers RELATIVE ${public} ${public}/robust_kbench/*.hpp)
foreach(header IN LISTS headers)
  check(${public} ${header} FLAGS -std=c++20 -isystem ${SYSTEM_INCLUDE})
endforeach()

# The facade serves kernels written for any C++ since 17; robust_kbench/facade/ and python/ hold its
# parts, which are included in one order.
set(facade ${ROOT}/harness/include/kernel)
file(GLOB_RECURSE facade_headers RELATIVE ${facade} ${facade}/*.h)
list(FILTER facade_headers EXCLUDE REGEX "^robust_kbench/(facade|python)/")
set(seen)
foreach(header IN LISTS facade_headers)
  # Most only forward to torch/extension.h: one of each content will do.
  file(SHA256 ${facade}/${header} hash)
  if(hash IN_LIST seen)
    continue()
  endif()
  list(APPEND seen ${hash})
  check(${facade} ${header} FLAGS -std=c++17 -DTORCH_EXTENSION_NAME=kernel)
endforeach()

set(over_torch ${ROOT}/harness/include/kernel_over_torch)
foreach(header IN ITEMS torch/extension.h robust_kbench/types.h)
  check(${over_torch} ${header} FLAGS -std=c++17 -isystem ${SYSTEM_INCLUDE}
        -isystem ${SYSTEM_INCLUDE}/torch/csrc/api/include -isystem ${facade})
endforeach()

list(LENGTH headers public_count)
list(LENGTH facade_headers facade_count)
message("${public_count} public and ${facade_count} facade headers")
if(failed)
  message(FATAL_ERROR "these do not compile alone: ${failed}")
endif()
