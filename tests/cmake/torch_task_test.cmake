# cmake -D SOURCE=<project> -D BINARY=<directory> -D GENERATOR=<name> -D BUILD=<RobustKBench's build>
#       -D CXX=<compiler> -D TORCH=<Torch_DIR> -P torch_task_test.cmake
#
# A project whose task is a package has its tests and targets, and evolves a kernel of it. It is
# configured as where there is no Python. A task that is imported would need one.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

set(sources ${BINARY}.sources)
file(REMOVE_RECURSE ${BINARY} ${sources})
file(COPY ${SOURCE}/ DESTINATION ${sources})
set(configure ${CMAKE_COMMAND} -S ${sources} -B ${BINARY} -G ${GENERATOR} -D Torch_DIR=${TORCH}
              -D RobustKBench_DIR=${BUILD} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_BUILD_TYPE=Debug)
file(WRITE ${sources}/another.py "")
run(COMMAND ${configure} EXPECT_FAILURE)
string(REGEX REPLACE "[ \n]+" " " output "${output}")
expect("SOURCE of task another needs a Python that has torch" 1 "an import needs Python")
file(REMOVE ${sources}/another.py)
run(COMMAND ${configure})
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --parallel 2)
run(COMMAND ${BINARY}/bin/rkb list)
expect("\nsmall_linear +forward backward +drawn" 1 "rkb lists the imported task")

set(ctest ${CMAKE_CTEST_COMMAND} --test-dir ${BINARY} --no-tests=error --parallel 2)
run(COMMAND ${ctest})
message("${output}")
string(REGEX MATCH "100% tests passed[^\n]* out of ([0-9]+)" closing "${output}")
# Five seeds of two configs, three drawn ones, probes, the sequence, and both ends of the fork server.
if(NOT CMAKE_MATCH_1 GREATER 16)
  message(FATAL_ERROR "more than 16 tests should have passed")
endif()
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target verify_small_linear bench_small_linear)
message("${output}")
expect("Testing kernel small_linear.forward.rows" 1 "the kernel is tested")
file(REMOVE_RECURSE ${BINARY}/evolution)
run(COMMAND ${CMAKE_COMMAND} -E env --unset=ROBUST_KBENCH_ARCHIVE --unset=RKB_MAX_USD
            --unset=RKB_MAX_TOKENS --unset=RKB_MAX_CALLS
            ${CMAKE_COMMAND} --build ${BINARY} --target evolve_small_linear)
expect("Evolves small_linear.forward on cpu" 1 "the target evolves the entry")
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target help)
expect("evolve_small_linear_backward: phony" 1 "the backward has its target")
expect("compile_packages: phony" 1 "torch.compile packages have their target")
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target compile_packages EXPECT_FAILURE)
expect("imports need Python" 1 "making them needs Python")
