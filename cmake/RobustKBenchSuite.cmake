include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/RobustKBenchManifest.cmake)

# Turns the tasks and kernels of a build into its programs `rkb` and `rkb_cases`, build rules, CTest
# tests and targets. A build has one suite, which is completed when the top-level directory ends. So
# tasks and kernels may come in any order from any directory.

set_property(GLOBAL PROPERTY ROBUST_KBENCH_CMAKE_DIRECTORY ${CMAKE_CURRENT_LIST_DIR})

function(_robust_kbench_schedule_suite)
  get_property(scheduled GLOBAL PROPERTY ROBUST_KBENCH_SUITE_SCHEDULED)
  if(NOT scheduled)
    set_property(GLOBAL PROPERTY ROBUST_KBENCH_SUITE_SCHEDULED TRUE)
    cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL _robust_kbench_finish_suite)
  endif()
endfunction()

# The directions for which a task has configs.
function(_robust_kbench_task_directions out task)
  get_property(directions GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_DIRECTIONS)
  if(NOT directions)
    get_property(directory GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_DIRECTORY)
    foreach(direction IN ITEMS forward backward)
      if(EXISTS ${directory}/config_${direction}.json)
        list(APPEND directions ${direction})
      endif()
    endforeach()
  endif()
  set(${out} ${directions} PARENT_SCOPE)
endfunction()

function(_robust_kbench_finish_suite)
  get_property(tasks GLOBAL PROPERTY ROBUST_KBENCH_TASKS)
  get_property(kernels GLOBAL PROPERTY ROBUST_KBENCH_KERNELS)
  foreach(id IN LISTS kernels)
    _robust_kbench_check_task_of_kernel(${id})
    _robust_kbench_resolve_libraries(${id})
  endforeach()
  find_program(RobustKBench_NVCC nvcc PATHS /usr/local/cuda/bin
               DOC "CUDA compiler; OFF: none, and .cu kernels are not built")
  set(RobustKBench_LLM_PYTHON "" CACHE FILEPATH
      "Python 3.11 or newer that has what llm/requirements.lock lists; empty: a venv in the build")

  set(manifest ${CMAKE_BINARY_DIR}/share/robust_kbench/manifest.json)
  _robust_kbench_add_programs(${tasks})
  _robust_kbench_add_manifests(${manifest} "${tasks}" "${kernels}")
  _robust_kbench_add_imports(${manifest} ${tasks})
  _robust_kbench_add_compile_packages(${manifest} ${tasks})
  _robust_kbench_add_task_targets("${tasks}" "${kernels}")
  _robust_kbench_check_configs(${manifest} ${tasks})
  _robust_kbench_discover_cases(${manifest} ${tasks})
  _robust_kbench_warn_of_no_tests()
  _robust_kbench_warn_of_no_build_type()
endfunction()

# BUILD_TESTING is OFF where include(CTest) adds no tests; a subproject may have set it ON.
function(_robust_kbench_warn_of_no_tests)
  if(NOT CMAKE_TESTING_ENABLED AND (BUILD_TESTING OR NOT DEFINED BUILD_TESTING))
    message(WARNING "RobustKBench: testing is not enabled in ${CMAKE_SOURCE_DIR}, so ctest will find no "
                    "tests; add include(CTest) to its CMakeLists.txt, or set BUILD_TESTING to OFF")
  endif()
endfunction()

# Without a build type a compiler does not optimise, neither here nor in RobustKBench's own sources.
function(_robust_kbench_warn_of_no_build_type)
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT several AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CXX_FLAGS MATCHES "-O")
    message(WARNING "RobustKBench: CMAKE_BUILD_TYPE is empty, so the programs are compiled without "
                    "optimisation and take several times as long; configure with "
                    "-D CMAKE_BUILD_TYPE=Release")
  endif()
endfunction()

# The program reads every config file as a test would, so that the build reports unknown keys.
function(_robust_kbench_check_configs manifest)
  set(configs)
  foreach(task IN LISTS ARGN)
    foreach(field IN ITEMS DIRECTORY PACKAGE)
      get_property(${field} GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_${field})
    endforeach()
    if(PACKAGE)
      list(APPEND configs ${PACKAGE})
      continue()
    endif()
    _robust_kbench_task_directions(directions ${task})
    foreach(direction IN LISTS directions)
      list(APPEND configs ${DIRECTORY}/config_${direction}.json)
    endforeach()
  endforeach()
  set(suite ${CMAKE_BINARY_DIR}/share/robust_kbench/suite.json)
  add_custom_command(
    OUTPUT ${suite}
    COMMAND rkb --manifest ${manifest} list --json ${suite}
    DEPENDS rkb ${manifest} ${configs}
    COMMENT "Reading the configs of all tasks"
    VERBATIM)
  add_custom_target(check_configs ALL DEPENDS ${suite})
  _robust_kbench_depend_on_imports(check_configs ${ARGN})
endfunction()

# Checks a kernel's libraries, and makes the paths of files absolute.
function(_robust_kbench_resolve_libraries id)
  get_property(libraries GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_LIBRARIES)
  get_property(directory GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_DIRECTORY)
  set(resolved)
  foreach(library IN LISTS libraries)
    cmake_path(ABSOLUTE_PATH library BASE_DIRECTORY ${directory} NORMALIZE OUTPUT_VARIABLE path)
    _robust_kbench_check_library(${id} "${library}" "${path}")
    if(NOT TARGET "${library}" AND NOT library MATCHES "^(-|[$]<)")
      set(library ${path})
    endif()
    list(APPEND resolved ${library})
  endforeach()
  set_property(GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_LIBRARIES "${resolved}")
endfunction()

# The path of a kernel's outputs without an extension.
function(_robust_kbench_kernel_base out id)
  get_property(task GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_TASK)
  get_property(direction GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_DIRECTION)
  get_property(name GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_NAME)
  set(${out} ${CMAKE_BINARY_DIR}/kernels/${task}/${direction}/${name} PARENT_SCOPE)
endfunction()

# The registry names every task, so a missing task is a link error. No task depends on the linker
# keeping a static object.
function(_robust_kbench_add_programs)
  set(directory ${CMAKE_BINARY_DIR}/CMakeFiles/robust_kbench)
  set(sources)
  set(declarations)
  set(calls)
  foreach(task IN LISTS ARGN)
    get_property(source GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_SOURCE)
    if(NOT source) # an imported one
      continue()
    endif()
    list(APPEND sources ${source})
    string(APPEND declarations "Task ${task}();\n")
    string(APPEND calls "${separator}tasks::${task}()")
    set(separator ", ")
  endforeach()
  get_property(llm_sources GLOBAL PROPERTY ROBUST_KBENCH_LLM_SOURCES)
  set(llm_venv ${CMAKE_BINARY_DIR}/llm_venv)
  get_property(importer_sources GLOBAL PROPERTY ROBUST_KBENCH_IMPORTER_SOURCES)
  set(importer_venv ${CMAKE_BINARY_DIR}/importer_venv)
  get_property(page_sources GLOBAL PROPERTY ROBUST_KBENCH_PAGE_SOURCES)
  set(page_library ${CMAKE_BINARY_DIR}/page)
  get_property(templates GLOBAL PROPERTY ROBUST_KBENCH_CMAKE_DIRECTORY)
  configure_file(${templates}/registry.cpp.in ${directory}/registry.cpp @ONLY)
  configure_file(${templates}/rkb_main.cpp.in ${directory}/rkb_main.cpp @ONLY)
  configure_file(${templates}/rkb_agent_main.cpp.in ${directory}/rkb_agent_main.cpp @ONLY)
  configure_file(${templates}/rkb_cases_main.cpp.in ${directory}/rkb_cases_main.cpp @ONLY)

  add_library(robust_kbench_registry STATIC ${directory}/registry.cpp ${sources})
  add_library(RobustKBench::registry ALIAS robust_kbench_registry)
  target_link_libraries(robust_kbench_registry PUBLIC RobustKBench::task_api
                        INTERFACE $<LINK_ONLY:RobustKBench::tensor>)
  # A task describes, and torch's operators compute.
  target_compile_options(robust_kbench_registry PRIVATE $<$<CONFIG:Release>:-O1>)
  if(COMMAND robust_kbench_precompile_headers)
    robust_kbench_precompile_headers(robust_kbench_registry TORCH)
  endif()

  add_executable(rkb ${directory}/rkb_main.cpp)
  target_link_libraries(rkb PRIVATE RobustKBench::registry RobustKBench::cli)
  # `rkb` starts it for the commands that look for kernels, so that `rkb` is built sooner.
  add_executable(rkb_agent ${directory}/rkb_agent_main.cpp)
  target_link_libraries(rkb_agent PRIVATE RobustKBench::registry RobustKBench::agent)
  add_dependencies(rkb_agent rkb)
  add_executable(rkb_cases ${directory}/rkb_cases_main.cpp)
  target_link_libraries(rkb_cases PRIVATE RobustKBench::registry RobustKBench::gtest_cases)
  add_dependencies(rkb_cases RobustKBench::rkb_fork_client)
  foreach(program IN ITEMS rkb rkb_agent rkb_cases)
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
    add_dependencies(${program}
      RobustKBench::rkb_worker RobustKBench::shim RobustKBench::operators)
  endforeach()
endfunction()

# Writes one manifest of everything for the programs, and one for each kernel, from which it is
# compiled. The latter changes only when that kernel's description or the toolchain changes.
function(_robust_kbench_add_manifests manifest tasks kernels)
  _robust_kbench_toolchain_json(toolchain)
  _robust_kbench_tasks_json(all_tasks ${tasks})
  foreach(id IN LISTS kernels)
    _robust_kbench_kernel_base(base ${id})
    _robust_kbench_kernel_json(json ${id} ${base})
    string(APPEND all_kernels "${kernel_separator}${json}")
    set(kernel_separator ",\n  ")
    _robust_kbench_write_manifest(${base}.manifest.json "${toolchain}" "" "${json}")
  endforeach()
  _robust_kbench_write_manifest(${manifest} "${toolchain}" "${all_tasks}" "${all_kernels}")
endfunction()

# Adds the targets `kernels` (part of a plain build), `cpu_kernels`, `verify`, and kernels_<task>,
# cpu_kernels_<task>, verify_<task>, bench_<task>, evolve_<task> for each task.
function(_robust_kbench_add_task_targets tasks kernels)
  add_custom_target(kernels ALL)
  add_custom_target(cpu_kernels)
  add_custom_target(verify)
  foreach(task IN LISTS tasks)
    set(records)
    set(cpu_records)
    set(stamps)
    foreach(id IN LISTS kernels)
      get_property(task_of_kernel GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_TASK)
      get_property(device GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_DEVICE)
      if(task_of_kernel STREQUAL task AND (device STREQUAL "cpu" OR RobustKBench_NVCC))
        _robust_kbench_add_kernel_rules(record stamp ${id})
        list(APPEND records ${record})
        list(APPEND stamps ${stamp})
        if(device STREQUAL "cpu")
          list(APPEND cpu_records ${record})
        endif()
      endif()
    endforeach()
    add_custom_target(kernels_${task} DEPENDS ${records})
    add_custom_target(cpu_kernels_${task} DEPENDS ${cpu_records})
    add_dependencies(kernels kernels_${task})
    if(RobustKBench_NVCC AND TARGET replay_programs)
      add_dependencies(kernels_${task} replay_programs)
    endif()
    add_dependencies(cpu_kernels cpu_kernels_${task})
    add_custom_target(verify_${task} DEPENDS ${stamps})
    add_dependencies(verify_${task} kernels_${task} rkb)
    foreach(target IN ITEMS kernels_${task} cpu_kernels_${task} verify_${task})
      _robust_kbench_depend_on_imports(${target} ${task})
    endforeach()
    add_dependencies(verify verify_${task})
    add_custom_target(bench_${task} COMMAND rkb bench --task ${task} USES_TERMINAL VERBATIM)
    add_dependencies(bench_${task} kernels_${task})
    _robust_kbench_add_usual_evolutions(${task})
  endforeach()
endfunction()

# Adds evolve_<task> and evolve_<task>_backward, unless the project has added its own.
function(_robust_kbench_add_usual_evolutions task)
  _robust_kbench_task_directions(directions ${task})
  foreach(direction IN LISTS directions)
    _robust_kbench_evolution_name(name ${task} ${direction})
    if(NOT TARGET ${name})
      robust_kbench_add_evolution(TASK ${task} DIRECTION ${direction})
    endif()
  endforeach()
endfunction()

function(_robust_kbench_evolution_name out task direction)
  set(name evolve_${task})
  if(direction STREQUAL "backward")
    string(APPEND name _backward)
  endif()
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# A kernel's record is made again when its description, its sources, an included file or a linked
# library changes. It is not made again when rkb is linked again, since naming rkb only in COMMAND
# orders the two and compares no times. The stamp means that this record has passed its tests.
function(_robust_kbench_add_kernel_rules out_record out_stamp id)
  foreach(field IN ITEMS TASK DIRECTION NAME SOURCES LIBRARIES)
    get_property(${field} GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_${field})
  endforeach()
  set(library_files)
  foreach(library IN LISTS LIBRARIES)
    if(TARGET ${library} OR IS_ABSOLUTE ${library})
      list(APPEND library_files ${library})
    endif()
  endforeach()
  _robust_kbench_kernel_base(base ${id})
  set(which --task ${TASK} --direction ${DIRECTION} --kernel ${NAME})
  add_custom_command(
    OUTPUT ${base}.json
    COMMAND rkb --manifest ${base}.manifest.json compile ${which} --depfile ${base}.d
    DEPENDS ${base}.manifest.json ${SOURCES} ${library_files} $<TARGET_FILE:RobustKBench::shim>
            $<TARGET_FILE:RobustKBench::shim_over_torch>
    DEPFILE ${base}.d
    COMMENT "Compiling kernel ${TASK}.${DIRECTION}.${NAME}"
    VERBATIM)
  get_property(package GLOBAL PROPERTY ROBUST_KBENCH_TASK_${TASK}_PACKAGE)
  get_property(scripts GLOBAL PROPERTY ROBUST_KBENCH_CMAKE_DIRECTORY)
  add_custom_command(
    OUTPUT ${base}.verified
    COMMAND ${CMAKE_COMMAND} -D STAMP=${base}.verified -P ${scripts}/VerifyKernel.cmake --
            $<TARGET_FILE:rkb> test ${which}
    DEPENDS ${base}.json ${scripts}/VerifyKernel.cmake ${package}
    COMMENT "Testing kernel ${TASK}.${DIRECTION}.${NAME}"
    VERBATIM)
  set(${out_record} ${base}.json PARENT_SCOPE)
  set(${out_stamp} ${base}.verified PARENT_SCOPE)
endfunction()

# CTest includes the script before it runs, so tests are listed at test time, and the build runs no
# program for them. TEST_INCLUDE_FILES accepts no generator expressions, hence the generated file.
function(_robust_kbench_discover_cases manifest)
  set(directories)
  set(packages)
  foreach(task IN LISTS ARGN)
    get_property(directory GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_DIRECTORY)
    get_property(package GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_PACKAGE)
    list(APPEND directories ${directory})
    list(APPEND packages ${package})
  endforeach()
  list(JOIN directories "]==] [==[" directories)
  list(JOIN packages "]==] [==[" packages)
  get_property(scripts GLOBAL PROPERTY ROBUST_KBENCH_CMAKE_DIRECTORY)
  set(script ${CMAKE_BINARY_DIR}/CMakeFiles/robust_kbench/discover.cmake)
  file(GENERATE OUTPUT ${script} CONTENT
"include([==[${scripts}/DiscoverCases.cmake]==])
robust_kbench_discover_cases(
  LIST [==[${CMAKE_BINARY_DIR}/CMakeFiles/robust_kbench/cases.cmake]==]
  MANIFEST [==[${manifest}]==]
  LISTER [==[$<TARGET_FILE:rkb>]==]
  PROGRAM [==[$<TARGET_FILE:rkb_cases>]==]
  FORK_CLIENT [==[$<TARGET_FILE:RobustKBench::rkb_fork_client>]==]
  TASK_DIRECTORIES [==[${directories}]==]
  PACKAGES [==[${packages}]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()
