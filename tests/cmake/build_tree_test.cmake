# cmake -D SOURCE=<project> -D BINARY=<directory> -D GENERATOR=<name> -D BUILD=<RobustKBench's build>
#       -D CXX=<compiler> -D TORCH=<Torch_DIR> -D PYTHON=<Python> -P build_tree_test.cmake
#
# RobustKBench_DIR names a build of RobustKBench that is not installed: its package is whole, and a
# project's program links from it and runs.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${BINARY})
run(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G ${GENERATOR} -D RobustKBench_DIR=${BUILD}
            -D CMAKE_CXX_COMPILER=${CXX} -D Torch_DIR=${TORCH} -D RobustKBench_PYTHON=${PYTHON}
            -D CMAKE_BUILD_TYPE=Debug)
file(READ ${BINARY}/share/robust_kbench/manifest.json manifest)
foreach(member IN ITEMS worker shim kernel_include)
  string(JSON path GET "${manifest}" toolchain ${member})
  if(NOT EXISTS ${path})
    message(FATAL_ERROR "${member} of the manifest is ${path}, which is not there")
  endif()
endforeach()
run(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --target rkb kernels_softsign)
run(COMMAND ${BINARY}/bin/rkb list)
expect("\nsoftsign " 1 "rkb lists the task")
run(COMMAND ${BINARY}/bin/rkb test --task softsign --seeds 1 --scope listed)
