# cmake -D SOURCE=<consumer> -D BINARY=<directory> -D TASK=<name> -D GENERATOR=<name>
#       -D FAST_MATH=<ON|OFF> [-D SKIPPED=<tests>] [-D PREFIX=<directory> -D BUILD=<directory>]
#       [-D FETCH=ON] -P consumer_test.cmake -- <configure argument>...
#
# Configures, builds and tests a project that uses RobustKBench, from a copy of its sources. With PREFIX
# the build in BUILD is installed there first. With FETCH the project is also configured as where
# nothing is installed.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

set(arguments)
foreach(i RANGE ${CMAKE_ARGC})
  if(DEFINED separator_seen AND DEFINED CMAKE_ARGV${i})
    list(APPEND arguments ${CMAKE_ARGV${i}})
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(separator_seen TRUE)
  endif()
endforeach()

if(NOT DEFINED SKIPPED)
  set(SKIPPED 0)
endif()
set(sources ${BINARY}.sources)
file(REMOVE_RECURSE ${BINARY} ${sources})
file(COPY ${SOURCE}/ DESTINATION ${sources})
if(DEFINED PREFIX)
  file(REMOVE_RECURSE ${PREFIX})
  run(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX})
endif()
if(FETCH)
  file(REMOVE_RECURSE ${BINARY}.fetched)
  run(COMMAND ${CMAKE_COMMAND} -S ${sources} -B ${BINARY}.fetched -G ${GENERATOR} ${arguments}
              -D FETCHCONTENT_TRY_FIND_PACKAGE_MODE=NEVER)
endif()
run(COMMAND ${CMAKE_COMMAND} -S ${sources} -B ${BINARY} -G ${GENERATOR} ${arguments})
file(READ ${BINARY}/share/robust_kbench/manifest.json manifest)
foreach(member IN ITEMS tasks kernels)
  string(JSON fast_math GET "${manifest}" ${member} 0 fast_math)
  if(NOT fast_math STREQUAL FAST_MATH)
    message(FATAL_ERROR "fast_math of ${member} is ${fast_math}")
  endif()
endforeach()
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --parallel 2)
run(COMMAND ${BINARY}/bin/rkb list)
expect("\n${TASK} " 1 "rkb lists the task")
set(ctest ${CMAKE_CTEST_COMMAND} --test-dir ${BINARY} --no-tests=error --parallel 2)
run(COMMAND ${ctest})
message("${output}")
# Five seeds of at least two configs, the sequence, and both ends of the fork server.
string(REGEX MATCH "100% tests passed[^\n]* out of ([0-9]+)" closing "${output}")
if(NOT CMAKE_MATCH_1 GREATER 12)
  message(FATAL_ERROR "more than 12 tests should have passed")
endif()
expect("[*][*][*]Skipped" ${SKIPPED} "tests of kernels that no compiler takes")
