include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.25.1)

# The functions that a project calls to have its kernels tested and timed. docs/cmake.md shows whole
# projects.
include(${CMAKE_CURRENT_LIST_DIR}/RobustKBenchArguments.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/RobustKBenchSuite.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/RobustKBenchTorchTask.cmake)

#[[
robust_kbench_add_task(NAME <name> [DIRECTORY <directory>] [SOURCE <file>] [NO_FAST_MATH]
                       [SCOPE <full|listed>])

Adds a task to the build's programs.

NAME       a lower-case C++ identifier; the source defines `Task robust_kbench::tasks::<name>()`.
DIRECTORY  holds config_forward.json, config_backward.json (at least one of them) and, for the
           torch.compile baseline, reference.py. forward.cpp, forward.cu, backward.cpp and
           backward.cu there are plain kernels, unless a kernel of the build uses them.
           Default: the calling directory.
SOURCE     the task's C++ source, relative to DIRECTORY. Default: task.cpp.
NO_FAST_MATH  its CUDA kernels are compiled without --use_fast_math. It is for operators whose
           tolerances or special values the fast functions violate.
SCOPE      listed: its kernels are tested on the configs of its files alone, without drawn configs
           and probes. Default: full.
]]
function(robust_kbench_add_task)
  cmake_parse_arguments(PARSE_ARGV 0 arg "NO_FAST_MATH" "NAME;DIRECTORY;SOURCE;SCOPE" "")
  _robust_kbench_check_arguments(robust_kbench_add_task "${ARGV}" REQUIRED NAME
                                 KNOWN NAME DIRECTORY SOURCE NO_FAST_MATH SCOPE)
  _robust_kbench_check_new_task(robust_kbench_add_task "${arg_NAME}")
  _robust_kbench_check_scope(robust_kbench_add_task)
  if(NOT DEFINED arg_DIRECTORY)
    set(arg_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  cmake_path(ABSOLUTE_PATH arg_DIRECTORY BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
  if(NOT DEFINED arg_SOURCE)
    set(arg_SOURCE task.cpp)
  endif()
  cmake_path(ABSOLUTE_PATH arg_SOURCE BASE_DIRECTORY ${arg_DIRECTORY} NORMALIZE)
  _robust_kbench_check_files(robust_kbench_add_task SOURCE ${arg_SOURCE})
  _robust_kbench_check_task_source(robust_kbench_add_task ${arg_NAME} ${arg_SOURCE})
  if(NOT EXISTS ${arg_DIRECTORY}/config_forward.json
     AND NOT EXISTS ${arg_DIRECTORY}/config_backward.json)
    _robust_kbench_refuse(robust_kbench_add_task DIRECTORY "'${arg_DIRECTORY}'"
                          "a directory with a config_forward.json or a config_backward.json")
  endif()

  set_property(GLOBAL APPEND PROPERTY ROBUST_KBENCH_TASKS ${arg_NAME})
  set_property(GLOBAL PROPERTY ROBUST_KBENCH_TASK_${arg_NAME}_DIRECTORY ${arg_DIRECTORY})
  set_property(GLOBAL PROPERTY ROBUST_KBENCH_TASK_${arg_NAME}_SOURCE ${arg_SOURCE})
  set_property(GLOBAL PROPERTY ROBUST_KBENCH_TASK_${arg_NAME}_NO_FAST_MATH ${arg_NO_FAST_MATH})
  set_property(GLOBAL PROPERTY ROBUST_KBENCH_TASK_${arg_NAME}_SCOPE ${arg_SCOPE})
  _robust_kbench_schedule_suite()
endfunction()

#[[
robust_kbench_add_tasks(DIRECTORY <directory> [NO_FAST_MATH <name>...])

Adds every task of a folder: robust_kbench_add_task() for each <directory>/<name>/task.cpp, for those
that are named with NO_FAST_MATH. A task that is added or removed later makes the next build
configure again.
]]
function(robust_kbench_add_tasks)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DIRECTORY" "NO_FAST_MATH")
  _robust_kbench_check_arguments(robust_kbench_add_tasks "${ARGV}" REQUIRED DIRECTORY
                                 KNOWN DIRECTORY NO_FAST_MATH)
  _robust_kbench_check_directory(robust_kbench_add_tasks arg_DIRECTORY)
  file(GLOB sources CONFIGURE_DEPENDS ${arg_DIRECTORY}/*/task.cpp)
  if(NOT sources)
    _robust_kbench_refuse(robust_kbench_add_tasks DIRECTORY "'${arg_DIRECTORY}'"
                          "a directory with at least one <task>/task.cpp")
  endif()
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH directory)
    cmake_path(GET directory FILENAME name)
    set(options)
    if(name IN_LIST arg_NO_FAST_MATH)
      list(REMOVE_ITEM arg_NO_FAST_MATH ${name})
      set(options NO_FAST_MATH)
    endif()
    robust_kbench_add_task(NAME ${name} DIRECTORY ${directory} ${options})
  endforeach()
  if(arg_NO_FAST_MATH)
    _robust_kbench_refuse(robust_kbench_add_tasks NO_FAST_MATH "'${arg_NO_FAST_MATH}'"
                          "names of tasks in ${arg_DIRECTORY}")
  endif()
endfunction()

#[[
robust_kbench_add_kernel(TASK <task> DIRECTION <forward|backward> SOURCES <file>...
                         [NAME <name>] [INCLUDE_DIRECTORIES <directory>...]
                         [DEFINITIONS <definition>...] [OPTIONS <option>...]
                         [LIBRARIES <library>...] [HEADERS <auto|shim|torch>]
                         [ENTRY <function>] [SCOPE <full|listed>] [ALLOW <class>...])

Adds a kernel under test. It is compiled on its own, against the suite's torch/extension.h, into a
shared object that only a worker process ever loads. One that does not compile fails its own tests,
never the build.

TASK                 a task of the build; it may be added later.
DIRECTION            forward or backward: also the name of the kernel's entry point, unless ENTRY
                     gives another. The task's directory has config_<direction>.json.
SOURCES              .cpp or .cu files, relative to the calling directory. With a .cu among them the
                     kernel runs on a GPU. Headers that they include need no mention.
NAME                 of letters, digits, '_', '-' and '.'. Default: the first source without its
                     extension.
INCLUDE_DIRECTORIES  relative to the calling directory; each exists, unless it is in the build's
                     directory, or is a generator expression.
DEFINITIONS          NAME or NAME=VALUE, without -D.
OPTIONS              for the compiler, after the suite's own. A path after -I, -include, -L and their
                     like is relative to the calling directory, where it exists there.
LIBRARIES            for the linker: a static or shared library target of the build, which may be
                     defined later; a file, relative to the calling directory, which exists or which
                     a rule of the build makes; a generator expression; or an option such as -lm.
HEADERS              shim: only the suite's own headers, which compile in a second or two. torch: the
                     suite's module over torch's own headers, which take a minute and more. auto, the
                     default: shim, and torch where the compiler misses something that torch has.
ENTRY                the called function, by its name in the kernel's module. Where no file has a
                     PYBIND11_MODULE, it is a function of that name. Default: DIRECTION.
SCOPE                listed: it is tested on the configs of its task's files alone, without drawn
                     configs and probes. Default: its task's.
ALLOW                what its code may ask for although an evaluation refuses it, such as clocks
                     (SECURITY.md). In an evolution that begins with it, this holds for proposals, too.
]]
function(robust_kbench_add_kernel)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TASK;DIRECTION;NAME;HEADERS;ENTRY;SCOPE"
                        "SOURCES;INCLUDE_DIRECTORIES;DEFINITIONS;OPTIONS;LIBRARIES;ALLOW")
  _robust_kbench_check_arguments(
    robust_kbench_add_kernel "${ARGV}" REQUIRED TASK DIRECTION SOURCES
    KNOWN TASK DIRECTION SOURCES NAME INCLUDE_DIRECTORIES DEFINITIONS OPTIONS LIBRARIES
          HEADERS ENTRY SCOPE ALLOW)
  if(NOT arg_DIRECTION MATCHES "^(forward|backward)$")
    _robust_kbench_refuse(robust_kbench_add_kernel DIRECTION "'${arg_DIRECTION}'"
                          "forward or backward")
  endif()
  _robust_kbench_check_scope(robust_kbench_add_kernel)
  if(NOT DEFINED arg_HEADERS)
    set(arg_HEADERS auto)
  endif()
  if(arg_HEADERS STREQUAL "slim") # its former name
    set(arg_HEADERS shim)
  endif()
  if(NOT arg_HEADERS MATCHES "^(auto|shim|torch)$")
    _robust_kbench_refuse(robust_kbench_add_kernel HEADERS "'${arg_HEADERS}'" "auto, shim or torch")
  endif()
  if(DEFINED arg_ENTRY AND NOT arg_ENTRY MATCHES "^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*$")
    _robust_kbench_refuse(robust_kbench_add_kernel ENTRY "'${arg_ENTRY}'"
                          "the name of a function, as forward or space::forward")
  endif()
  _robust_kbench_check_capabilities(robust_kbench_add_kernel ${arg_ALLOW})
  _robust_kbench_make_absolute(arg_SOURCES)
  _robust_kbench_make_absolute(arg_INCLUDE_DIRECTORIES)
  _robust_kbench_make_option_paths_absolute(arg_OPTIONS)
  _robust_kbench_check_files(robust_kbench_add_kernel SOURCES ${arg_SOURCES})
  _robust_kbench_check_include_directories(robust_kbench_add_kernel ${arg_INCLUDE_DIRECTORIES})
  _robust_kbench_check_definitions(robust_kbench_add_kernel ${arg_DEFINITIONS})
  set(device cpu)
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(GET source EXTENSION LAST_ONLY extension)
    if(extension STREQUAL ".cu")
      set(device cuda)
    elseif(NOT extension STREQUAL ".cpp")
      _robust_kbench_refuse(robust_kbench_add_kernel SOURCES "'${source}'"
                            "files that end in .cpp or .cu")
    endif()
  endforeach()
  if(NOT DEFINED arg_NAME)
    list(GET arg_SOURCES 0 first)
    cmake_path(GET first STEM LAST_ONLY arg_NAME)
  endif()
  if(NOT arg_NAME MATCHES "^[A-Za-z0-9_][A-Za-z0-9_.-]*$")
    _robust_kbench_refuse(robust_kbench_add_kernel NAME "'${arg_NAME}'"
                          "a name of letters, digits, '_', '-' and '.'")
  endif()

  # Test names contain no '-', so two kernels may not differ in '-' and '_' alone.
  string(REPLACE "-" "_" id ${arg_TASK}.${arg_DIRECTION}.${arg_NAME})
  get_property(known GLOBAL PROPERTY ROBUST_KBENCH_KERNELS)
  if(id IN_LIST known)
    _robust_kbench_refuse(
      robust_kbench_add_kernel NAME "'${arg_NAME}', whose tests would be called '${id}' like another's"
      "a name that no other ${arg_DIRECTION} kernel of ${arg_TASK} has; '-' and '_' count as equal")
  endif()
  set_property(GLOBAL APPEND PROPERTY ROBUST_KBENCH_KERNELS ${id})
  set(arg_DEVICE ${device})
  set(arg_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(field IN ITEMS TASK DIRECTION NAME DEVICE SOURCES INCLUDE_DIRECTORIES DEFINITIONS OPTIONS
                         LIBRARIES HEADERS ENTRY SCOPE ALLOW DIRECTORY)
    set_property(GLOBAL PROPERTY ROBUST_KBENCH_KERNEL_${id}_${field} "${arg_${field}}")
  endforeach()
  _robust_kbench_schedule_suite()
endfunction()

#[[
robust_kbench_add_kernels(DIRECTORY <directory>)

Adds every kernel of a folder: robust_kbench_add_kernel() for each source
<directory>/<task>/<forward|backward>/<name>.cpp or .cu. A file that is added or removed later makes
the next build configure again.
]]
function(robust_kbench_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DIRECTORY" "")
  _robust_kbench_check_arguments(robust_kbench_add_kernels "${ARGV}" REQUIRED DIRECTORY
                                 KNOWN DIRECTORY)
  _robust_kbench_check_directory(robust_kbench_add_kernels arg_DIRECTORY)
  file(GLOB sources CONFIGURE_DEPENDS ${arg_DIRECTORY}/*/*/*.cpp ${arg_DIRECTORY}/*/*/*.cu)
  if(NOT sources)
    _robust_kbench_refuse(robust_kbench_add_kernels DIRECTORY "'${arg_DIRECTORY}'"
                          "a directory with at least one <task>/<forward|backward>/<name>.cpp or .cu")
  endif()
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH directory)
    cmake_path(GET directory FILENAME direction)
    cmake_path(GET directory PARENT_PATH directory)
    cmake_path(GET directory FILENAME task)
    robust_kbench_add_kernel(TASK ${task} DIRECTION ${direction} SOURCES ${source})
  endforeach()
endfunction()

#[[
robust_kbench_add_evolution(TASK <task> [DIRECTION <forward|backward>] [DEVICE <cpu|cuda>]
                            [SEED_KERNEL <best|plain|name|file>] [SETTINGS <file>] [NAME <target>])

Adds a target that looks for a faster kernel of an entry (docs/evolution.md). It is no part of `all`.
Each entry of the build has such a target with the usual settings, unless the project adds its own.

TASK         a task of the build; it may be added later.
DIRECTION    Default: forward.
DEVICE       Default: cuda where there are a GPU and a CUDA kernel of the entry, else cpu.
SEED_KERNEL  the first parent. Default: that of the settings, else best.
SETTINGS     a JSON file, relative to the calling directory.
NAME         Default: evolve_<task>, or evolve_<task>_backward.
]]
function(robust_kbench_add_evolution)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TASK;DIRECTION;DEVICE;SEED_KERNEL;SETTINGS;NAME" "")
  _robust_kbench_check_arguments(robust_kbench_add_evolution "${ARGV}" REQUIRED TASK
                                 KNOWN TASK DIRECTION DEVICE SEED_KERNEL SETTINGS NAME)
  if(NOT DEFINED arg_DIRECTION)
    set(arg_DIRECTION forward)
  endif()
  if(NOT arg_DIRECTION MATCHES "^(forward|backward)$")
    _robust_kbench_refuse(robust_kbench_add_evolution DIRECTION "'${arg_DIRECTION}'"
                          "forward or backward")
  endif()
  if(NOT "${arg_DEVICE}" MATCHES "^(cpu|cuda|)$")
    _robust_kbench_refuse(robust_kbench_add_evolution DEVICE "'${arg_DEVICE}'" "cpu or cuda")
  endif()
  if(NOT DEFINED arg_NAME)
    _robust_kbench_evolution_name(arg_NAME ${arg_TASK} ${arg_DIRECTION})
  endif()
  if(TARGET ${arg_NAME})
    _robust_kbench_refuse(robust_kbench_add_evolution NAME "'${arg_NAME}', which is a target already"
                          "a name that no other target has")
  endif()
  set(command rkb evolve --task ${arg_TASK} --direction ${arg_DIRECTION})
  if(DEFINED arg_DEVICE)
    list(APPEND command --device ${arg_DEVICE})
  endif()
  if(DEFINED arg_SETTINGS)
    cmake_path(ABSOLUTE_PATH arg_SETTINGS BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    _robust_kbench_check_files(robust_kbench_add_evolution SETTINGS ${arg_SETTINGS})
    list(APPEND command --settings ${arg_SETTINGS})
  endif()
  if(DEFINED arg_SEED_KERNEL)
    list(APPEND command --seed-kernel ${arg_SEED_KERNEL})
  endif()
  add_custom_target(${arg_NAME} COMMAND ${command} USES_TERMINAL VERBATIM
                    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  add_dependencies(${arg_NAME} kernels_${arg_TASK} rkb_agent)
endfunction()

cmake_policy(POP)
