# cmake -D BINARY=<directory> -P edit_test.cmake
#
# Edits the sources of the project that consumer_test.cmake has built, and builds and tests them again.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

set(sources ${BINARY}.sources)
set(ctest ${CMAKE_CTEST_COMMAND} --test-dir ${BINARY} --no-tests=error --parallel 2)
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target verify)
expect("Testing kernel" 0 "every kernel has been tested")
file(APPEND ${sources}/softsign/include/elementwise.hpp "// changed\n")
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target verify)
expect("Compiling kernel softsign.forward.two-files" 1 "a changed header compiles its kernel")
expect("(Compiling|Testing) kernel" 2 "nothing else is compiled and tested")

# The build reports a config key that the task does not have.
set(config ${sources}/softsign/config_forward.json)
file(READ ${config} good)
string(REPLACE "\"count\"" "\"cuont\"" bad "${good}")
file(WRITE ${config} "${bad}")
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} EXPECT_FAILURE)
if(NOT output MATCHES "config_forward.json: key 'cuont' is no parameter of the task; did you mean 'count'")
  message(FATAL_ERROR "the build does not name the bad key:\n${output}")
endif()
file(WRITE ${config} "${good}")

file(APPEND ${sources}/softsign/forward.cpp "#error [  SKIPPED ]\n")
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY})
run(COMMAND ${ctest} -R two_files -FA . EXPECT_FAILURE)
expect("0% tests passed" 1 "a kernel that does not compile fails its tests")
expect("Skipped" 0 "whatever the compiler quotes")
run(COMMAND ${ctest} -R plain)
