include_guard(GLOBAL)

option(RobustKBench_PRECOMPILE_TORCH
       "Precompile torch's headers: a clean build is faster, but ccache cannot keep its objects" OFF)

#[[
robust_kbench_add_room(<room> SOURCES <file>... [DEPENDS <room>...] [LIBRARIES <target>...])

Adds the static library of one room of harness/ as RobustKBench::<room>. DEPENDS names the rooms
that it may include, those of the table in docs/architecture.md.
]]
function(robust_kbench_add_room room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;LIBRARIES")
  set(target robust_kbench_${room})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(RobustKBench::${room} ALIAS ${target})
  set_property(GLOBAL APPEND PROPERTY ROBUST_KBENCH_ROOMS ${room})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # GCC 12 finds overlapping copies in std::string where there are none (GCC bug 105651).
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers
                                           -Wno-restrict -ffp-contract=off)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${RobustKBench_SOURCE_DIR}/harness>
    $<BUILD_INTERFACE:${RobustKBench_SOURCE_DIR}/harness/include>
    $<INSTALL_INTERFACE:include>
    $<INSTALL_INTERFACE:include/robust_kbench_rooms>)
  list(TRANSFORM arg_DEPENDS PREPEND RobustKBench::)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} ${arg_LIBRARIES})
  robust_kbench_precompile_torch(${target} ${arg_DEPENDS} ${arg_LIBRARIES})
endfunction()

#[[
robust_kbench_precompile_torch(<target> <library>...)

Has a target whose libraries include torch take its headers precompiled, if
RobustKBench_PRECOMPILE_TORCH says so. The first such target makes them for all.
]]
function(robust_kbench_precompile_torch target)
  get_property(users GLOBAL PROPERTY ROBUST_KBENCH_USERS_OF_TORCH)
  set(uses_torch FALSE)
  foreach(library IN LISTS ARGN)
    if(library IN_LIST users OR library STREQUAL "RobustKBench::torch")
      set(uses_torch TRUE)
    endif()
  endforeach()
  if(NOT uses_torch)
    return()
  endif()
  string(REPLACE robust_kbench_ RobustKBench:: alias ${target})
  set_property(GLOBAL APPEND PROPERTY ROBUST_KBENCH_USERS_OF_TORCH ${alias})
  if(NOT RobustKBench_PRECOMPILE_TORCH)
    return()
  endif()
  if(NOT users)
    # Any operator's header: what they all include costs more than the tensor's own.
    target_precompile_headers(${target} PRIVATE <robust_kbench/task.hpp> <ATen/ops/empty.h>)
    set_property(GLOBAL PROPERTY ROBUST_KBENCH_PRECOMPILED ${target})
  else()
    get_property(precompiled GLOBAL PROPERTY ROBUST_KBENCH_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${precompiled})
  endif()
endfunction()
