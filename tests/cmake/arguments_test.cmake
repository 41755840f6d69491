# cmake -D MODULE=<RobustKBench.cmake> -D SCRATCH=<directory> -D GENERATOR=<name> -P
# arguments_test.cmake
#
# Passes wrong arguments to the public functions. Each message names the function, the argument and
# the allowed values, under all policies of the caller.

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH}/empty)
file(WRITE ${SCRATCH}/kernel.cpp "")
file(WRITE ${SCRATCH}/kernel.txt "")
file(WRITE ${SCRATCH}/task.cpp "")
file(WRITE ${SCRATCH}/task/task.cpp "namespace robust_kbench::tasks {\nTask t();\nTask task();\n}\n")
file(WRITE ${SCRATCH}/task/config_forward.json "{}")

file(WRITE ${SCRATCH}/my_op.py "")
file(WRITE ${SCRATCH}/my_op.task.json [[{"name": "my_op", "configs": {"forward": {}}}]])

set(failures 0)
function(expect_refusal call message)
  file(WRITE ${SCRATCH}/CMakeLists.txt
       "cmake_minimum_required(VERSION 3.10)\nproject(p NONE)\ninclude(${MODULE})\n${call}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${SCRATCH} -B ${SCRATCH}/build -G ${GENERATOR}
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${message}" at)
  if(result EQUAL 0 OR at EQUAL -1)
    message("${call}\n  expected: ${message}\n  got: ${output}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()

expect_refusal("robust_kbench_add_task(DIRECTORY task)"
  "robust_kbench_add_task: argument NAME is missing; required: NAME")
expect_refusal("robust_kbench_add_task(NAME)"
  "robust_kbench_add_task: argument NAME has no value; give one or leave it out")
expect_refusal("robust_kbench_add_task(NAME t DIRECTORIES task)"
  "robust_kbench_add_task: argument 'DIRECTORIES' is unknown; allowed: NAME, DIRECTORY, SOURCE, NO_FAST_MATH, SCOPE")
expect_refusal("robust_kbench_add_task(NAME My-Task DIRECTORY task)"
  "robust_kbench_add_task: NAME is 'My-Task'; allowed: a C++ identifier of a-z, 0-9 and _")
expect_refusal("robust_kbench_add_task(NAME t DIRECTORY empty)"
  "robust_kbench_add_task: SOURCE is '${SCRATCH}/empty/task.cpp', which is no file; allowed: existing files")
set(no_function "which does not define the function of task")
set(function_wanted "in the namespace robust_kbench::tasks (docs/tasks.md)")
expect_refusal("robust_kbench_add_task(NAME soft DIRECTORY task)"
  "robust_kbench_add_task: SOURCE is '${SCRATCH}/task/task.cpp', ${no_function} soft; allowed: a source with 'Task soft() {...}' ${function_wanted}")
file(WRITE ${SCRATCH}/more/global/task.cpp "Task global() { return {}; }\n")
file(WRITE ${SCRATCH}/more/global/config_forward.json "{}")
expect_refusal("robust_kbench_add_task(NAME global DIRECTORY more/global)"
  "robust_kbench_add_task: SOURCE is '${SCRATCH}/more/global/task.cpp', ${no_function} global;")
file(WRITE ${SCRATCH}/more/no_configs/task.cpp "Task robust_kbench::tasks::t() { return {}; }\n")
expect_refusal("robust_kbench_add_task(NAME t DIRECTORY more/no_configs)"
  "robust_kbench_add_task: DIRECTORY is '${SCRATCH}/more/no_configs'; allowed: a directory with a config_forward.json or a config_backward.json")
expect_refusal("robust_kbench_add_task(NAME t SOURCE task/task.cpp)"
  "robust_kbench_add_task: DIRECTORY is '${SCRATCH}'; allowed: a directory with a config_forward.json or a config_backward.json")
expect_refusal(
  "set_property(GLOBAL PROPERTY ROBUST_KBENCH_TASKS t)\nrobust_kbench_add_task(NAME t DIRECTORY task)"
  "robust_kbench_add_task: NAME is 't', which exists already; allowed: a name that no other task of the build has")
expect_refusal("robust_kbench_add_tasks(DIRECTORY nowhere)"
  "robust_kbench_add_tasks: DIRECTORY is '${SCRATCH}/nowhere', which is no directory; allowed: an existing directory")
expect_refusal("robust_kbench_add_tasks(DIRECTORY empty)"
  "robust_kbench_add_tasks: DIRECTORY is '${SCRATCH}/empty'; allowed: a directory with at least one <task>/task.cpp")
expect_refusal("robust_kbench_add_tasks(DIRECTORY . NO_FAST_MATH task tusk)"
  "robust_kbench_add_tasks: NO_FAST_MATH is 'tusk'; allowed: names of tasks in ${SCRATCH}")
expect_refusal("robust_kbench_add_kernel(TASK t SOURCES kernel.cpp)"
  "robust_kbench_add_kernel: argument DIRECTION is missing; required: TASK, DIRECTION, SOURCES")
expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION sideways SOURCES kernel.cpp)"
  "robust_kbench_add_kernel: DIRECTION is 'sideways'; allowed: forward or backward")
expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES none.cpp)"
  "robust_kbench_add_kernel: SOURCES is '${SCRATCH}/none.cpp', which is no file; allowed: existing files")
expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES kernel.txt)"
  "robust_kbench_add_kernel: SOURCES is '${SCRATCH}/kernel.txt'; allowed: files that end in .cpp or .cu")
expect_refusal("robust_kbench_add_evolution(DIRECTION forward)"
  "robust_kbench_add_evolution: argument TASK is missing; required: TASK")
expect_refusal("robust_kbench_add_evolution(TASK t DIRECTION sideways)"
  "robust_kbench_add_evolution: DIRECTION is 'sideways'; allowed: forward or backward")
expect_refusal("robust_kbench_add_evolution(TASK t DEVICE tpu)"
  "robust_kbench_add_evolution: DEVICE is 'tpu'; allowed: cpu or cuda")
expect_refusal("robust_kbench_add_evolution(TASK t SETTINGS none.json)"
  "robust_kbench_add_evolution: SETTINGS is '${SCRATCH}/none.json', which is no file; allowed: existing files")
expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES kernel.cpp HEADERS thin)"
  "robust_kbench_add_kernel: HEADERS is 'thin'; allowed: auto, shim or torch")
expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES kernel.cpp ALLOW sockets)"
  "robust_kbench_add_kernel: ALLOW is 'sockets'; allowed: threads, clocks, environment, files, memory-mapping, dynamic-loading, driver, signals, system-calls, harness, other, all")
expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES kernel.cpp ENTRY 2nd)"
  "robust_kbench_add_kernel: ENTRY is '2nd'; allowed: the name of a function, as forward or space::forward")
expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES kernel.cpp SCOPE some)"
  "robust_kbench_add_kernel: SCOPE is 'some'; allowed: full or listed")
expect_refusal("robust_kbench_add_task(NAME t DIRECTORY task SCOPE some)"
  "robust_kbench_add_task: SCOPE is 'some'; allowed: full or listed")
expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES kernel.cpp NAME a/b)"
  "robust_kbench_add_kernel: NAME is 'a/b'; allowed: a name of letters, digits, '_', '-' and '.'")
expect_refusal(
  "set_property(GLOBAL PROPERTY ROBUST_KBENCH_KERNELS t.forward.a_b)
robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES kernel.cpp NAME a-b)"
  "robust_kbench_add_kernel: NAME is 'a-b', whose tests would be called 't.forward.a_b' like another's; allowed: a name that no other forward kernel of t has; '-' and '_' count as equal")
expect_refusal("robust_kbench_add_kernels(DIRECTORY empty)"
  "robust_kbench_add_kernels: DIRECTORY is '${SCRATCH}/empty'; allowed: a directory with at least one <task>/<forward|backward>/<name>.cpp or .cu")

# An empty value, as from an unset variable in quotes, is not a missing argument.
expect_refusal("robust_kbench_add_task(NAME \"\" DIRECTORY task)"
  "robust_kbench_add_task: argument NAME has an empty value; give another or leave it out")
expect_refusal("robust_kbench_add_task(NAME task DIRECTORY \"\")"
  "robust_kbench_add_task: argument DIRECTORY has an empty value")
expect_refusal("robust_kbench_add_task(NAME t DIRECTORY task SOURCE \"\${nothing}\")"
  "robust_kbench_add_task: argument SOURCE has an empty value")
expect_refusal("robust_kbench_add_task(\"\" NAME t)"
  "robust_kbench_add_task: argument '' has an empty value")
expect_refusal("robust_kbench_add_tasks(DIRECTORY \"\")"
  "robust_kbench_add_tasks: argument DIRECTORY has an empty value")
expect_refusal("robust_kbench_add_tasks(DIRECTORY . NO_FAST_MATH \"\")"
  "robust_kbench_add_tasks: argument NO_FAST_MATH has an empty value")
expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES \"\")"
  "robust_kbench_add_kernel: argument SOURCES has an empty value")
foreach(argument IN ITEMS NAME HEADERS INCLUDE_DIRECTORIES DEFINITIONS OPTIONS LIBRARIES)
  expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES kernel.cpp ${argument} \"\")"
    "robust_kbench_add_kernel: argument ${argument} has an empty value")
  expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES kernel.cpp ${argument} \${nothing})"
    "robust_kbench_add_kernel: argument ${argument} has no value")
endforeach()
expect_refusal("robust_kbench_add_kernel(TASK t DIRECTION forward SOURCES kernel.cpp OPTIONS -O2 \"\" -g)"
  "robust_kbench_add_kernel: argument OPTIONS has an empty value")
expect_refusal("robust_kbench_add_kernels(DIRECTORY \"\")"
  "robust_kbench_add_kernels: argument DIRECTORY has an empty value")

set(kernel "TASK task DIRECTION forward SOURCES kernel.cpp")
expect_refusal("robust_kbench_add_kernel(${kernel} INCLUDE_DIRECTORIES task inclued)"
  "robust_kbench_add_kernel: INCLUDE_DIRECTORIES is '${SCRATCH}/inclued', which is no directory; allowed: existing directories, those in ${SCRATCH}/build and generator expressions")
expect_refusal("robust_kbench_add_kernel(${kernel} INCLUDE_DIRECTORIES build/later $<CONFIG> kernel.txt)"
  "robust_kbench_add_kernel: INCLUDE_DIRECTORIES is '${SCRATCH}/kernel.txt', which is no directory")
expect_refusal("robust_kbench_add_kernel(${kernel} DEFINITIONS TILE=64 -DTILE=64)"
  "robust_kbench_add_kernel: DEFINITIONS is '-DTILE=64'; allowed: NAME or NAME=VALUE, without -D")

expect_refusal("robust_kbench_add_tasks(DIRECTORY .)
robust_kbench_add_kernel(TASK tusk DIRECTION forward SOURCES kernel.cpp)"
  "robust_kbench_add_kernel: TASK is 'tusk'; allowed: a task of the build: task")
expect_refusal("robust_kbench_add_kernel(TASK task DIRECTION backward SOURCES kernel.cpp)
robust_kbench_add_tasks(DIRECTORY .)"
  "robust_kbench_add_kernel: kernel task.backward.kernel has no cases, since ${SCRATCH}/task has no config_backward.json; add that file or leave the kernel out")

# Targets may come after the kernel. The arguments before the refused one are allowed.
set(link "robust_kbench_add_tasks(DIRECTORY .)\nrobust_kbench_add_kernel(${kernel} LIBRARIES")
set(allowed "allowed: static and shared library targets (imported ones: GLOBAL), files, generator expressions and options that begin with '-' (-lm)")
expect_refusal("${link} found library)
add_library(found UNKNOWN IMPORTED)\nadd_library(library INTERFACE)"
  "robust_kbench_add_kernel: LIBRARIES of kernel task.forward.kernel is 'library', a target of type INTERFACE_LIBRARY; ${allowed}")
expect_refusal("${link} -lm kernel.txt ${SCRATCH}/kernel.txt build/later.a $<CONFIG> ${SCRATCH}/$<CONFIG>.a libary)"
  "robust_kbench_add_kernel: LIBRARIES of kernel task.forward.kernel is 'libary', which is no target and no file ${SCRATCH}/libary; ${allowed}")
# A folder often has the name of a target.
expect_refusal("${link} task)"
  "robust_kbench_add_kernel: LIBRARIES of kernel task.forward.kernel is 'task', which is no target and no file ${SCRATCH}/task; ")
# Fetched sources are in the build's directory.
expect_refusal("set(CMAKE_BINARY_DIR \${CMAKE_SOURCE_DIR})\n${link} libary)"
  "robust_kbench_add_kernel: LIBRARIES of kernel task.forward.kernel is 'libary', which is no target and no file ${SCRATCH}/libary; ")

set(add robust_kbench_add_torch_task)
expect_refusal("${add}(NAME my_op)" "${add}: task my_op has neither SOURCE nor PACKAGE, or both")
expect_refusal("${add}(NAME my_op SOURCE my_op.py PACKAGE my_op.task.json)"
  "${add}: task my_op has neither SOURCE nor PACKAGE, or both; give one of them")
expect_refusal("${add}(NAME My SOURCE my_op.py)" "${add}: NAME is 'My'; allowed: a C++ identifier")
expect_refusal("${add}(NAME my_op SOURCE no.py)"
  "${add}: SOURCE is '${SCRATCH}/no.py'; allowed: an existing Python file, or a folder with func_forward.py")
expect_refusal("${add}(NAME my_op SOURCE empty)" "or a folder with func_forward.py")
expect_refusal("${add}(NAME my_op SOURCE my_op.py)"
  "${add}: SOURCE of task my_op needs a Python that has torch")
expect_refusal("${add}(NAME my_op PACKAGE no.task.json)"
  "${add}: PACKAGE is '${SCRATCH}/no.task.json', which is no file; allowed: existing files")
expect_refusal("${add}(NAME my_op PACKAGE my_op.py)"
  "${add}: PACKAGE is '${SCRATCH}/my_op.py', which is no package")
expect_refusal("${add}(NAME other PACKAGE my_op.task.json)"
  "${add}: NAME is 'other', and the package's task is 'my_op'; allowed: the package's name")
expect_refusal("${add}(NAME my_op PACKAGE my_op.task.json CONFIG batch=2)"
  "${add}: CONFIG is 'batch=2' beside PACKAGE; allowed: with SOURCE")
expect_refusal("${add}(NAME my_op PACKAGE my_op.task.json OUT_ARGUMENTS)"
  "${add}: OUT_ARGUMENTS is given beside PACKAGE; allowed: with SOURCE")
expect_refusal("${add}(NAME my_op PACKAGE my_op.task.json)\n${add}(NAME my_op PACKAGE my_op.task.json)"
  "${add}: NAME is 'my_op', which exists already")
expect_refusal("robust_kbench_add_torch_tasks(DIRECTORY empty)"
  "allowed: a directory with at least one .task.json, .py or <task>/func_forward.py")
expect_refusal("robust_kbench_add_torch_tasks(DIRECTORY . NO_FAST_MATH nobody)"
  "robust_kbench_add_torch_tasks: NO_FAST_MATH is 'nobody'; allowed: names of tasks in")

if(failures)
  message(FATAL_ERROR "${failures} calls were not refused as expected")
endif()
