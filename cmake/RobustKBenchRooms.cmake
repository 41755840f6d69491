include_guard(GLOBAL)

include(${CMAKE_CURRENT_LIST_DIR}/RobustKBenchPrecompile.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/RobustKBenchUnityBuild.cmake)

#[[
robust_kbench_add_room(<room> SOURCES <file>... [DEPENDS <room>...] [LIBRARIES <target>...] [COLD]
                       [TORCH])

Adds the static library of one room of harness/ as RobustKBench::<room>. DEPENDS names the rooms
that it may include, those of the table in docs/architecture.md. COLD rooms take longer to compile
than they ever run, so they are optimised less. TORCH precompiles torch's headers, for rooms
whose files mostly include them.
]]
function(robust_kbench_add_room room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;TORCH" "" "SOURCES;DEPENDS;LIBRARIES")
  set(target robust_kbench_${room})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(RobustKBench::${room} ALIAS ${target})
  set_property(GLOBAL APPEND PROPERTY ROBUST_KBENCH_ROOMS ${room})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room} POSITION_INDEPENDENT_CODE ON)
  robust_kbench_set_unity_build(${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  # GCC 12 reports false errors in copies of std::string (GCC bug 105651).
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers
                                           -Wno-restrict -Wno-stringop-overflow
                                           -Wno-stringop-overread -Wno-array-bounds
                                           -ffp-contract=off
                                           $<$<AND:$<BOOL:${arg_COLD}>,$<CONFIG:Release>>:-O1>)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${RobustKBench_SOURCE_DIR}/harness>
    $<BUILD_INTERFACE:${RobustKBench_SOURCE_DIR}/harness/include>
    $<INSTALL_INTERFACE:include>
    $<INSTALL_INTERFACE:include/robust_kbench_rooms>)
  list(TRANSFORM arg_DEPENDS PREPEND RobustKBench::)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} ${arg_LIBRARIES})
  set(torch "")
  if(arg_TORCH)
    set(torch TORCH)
  endif()
  robust_kbench_precompile_headers(${target} ${torch})
endfunction()
