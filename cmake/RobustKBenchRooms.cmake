include_guard(GLOBAL)

#[[
robust_kbench_add_room(<room> SOURCES <file>... [DEPENDS <room>...] [LIBRARIES <target>...])

Adds the static library of one room of harness/ as RobustKBench::<room>. DEPENDS names the rooms
that it may include, exactly those of the table in docs/architecture.md.
]]
function(robust_kbench_add_room room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;LIBRARIES")
  foreach(depend IN LISTS arg_DEPENDS)
    if(NOT TARGET RobustKBench::${depend})
      message(STATUS "room ${room} waits for room ${depend}")
      return()
    endif()
  endforeach()
  set(target robust_kbench_${room})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(RobustKBench::${room} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers
                                           -ffp-contract=off)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${RobustKBench_SOURCE_DIR}/harness>
    $<BUILD_INTERFACE:${RobustKBench_SOURCE_DIR}/harness/include>
    $<INSTALL_INTERFACE:include>
    $<INSTALL_INTERFACE:include/robust_kbench_rooms>)
  set_property(GLOBAL APPEND PROPERTY ROBUST_KBENCH_ROOMS ${room})
  list(TRANSFORM arg_DEPENDS PREPEND RobustKBench::)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} ${arg_LIBRARIES})
endfunction()
