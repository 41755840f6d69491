include_guard(GLOBAL)

# Tasks from PyTorch modules, or from packages that `rkb import` has made of them (docs/import.md).

#[[
robust_kbench_add_torch_task(NAME <name> SOURCE <file or folder> | PACKAGE <file> [CONFIG <config>...]
                             [OUT_ARGUMENTS] [DIRECTORY <directory>] [NO_FAST_MATH]
                             [SCOPE <full|listed>])

Adds an imported task to the build's programs. It has tests, runtime cases and targets as any other.

NAME       a lower-case C++ identifier. A package has it as its name.
SOURCE     a Python file, or a folder with func_forward.py, relative to the calling directory. The
           build imports it when it has changed, which executes it in a sandbox. That needs a Python
           that can import torch.
PACKAGE    a package, relative to the calling directory. It needs no Python.
CONFIG     of a SOURCE: further shapes, as batch_size=16,num_features=64.
OUT_ARGUMENTS  of a SOURCE: kernels write their outputs to their last arguments, and return nothing.
DIRECTORY  holds plain kernels, as that of robust_kbench_add_task(). Default: there are none.
NO_FAST_MATH, SCOPE  as of robust_kbench_add_task().
]]
function(robust_kbench_add_torch_task)
  set(function robust_kbench_add_torch_task)
  cmake_parse_arguments(PARSE_ARGV 0 arg "OUT_ARGUMENTS;NO_FAST_MATH" "NAME;SOURCE;PACKAGE;DIRECTORY;SCOPE"
                        "CONFIG")
  _robust_kbench_check_arguments(${function} "${ARGV}" REQUIRED NAME
                                 KNOWN NAME SOURCE PACKAGE CONFIG OUT_ARGUMENTS DIRECTORY NO_FAST_MATH
                                       SCOPE)
  _robust_kbench_check_new_task(${function} "${arg_NAME}")
  _robust_kbench_check_scope(${function})
  if((DEFINED arg_SOURCE AND DEFINED arg_PACKAGE)
     OR NOT (DEFINED arg_SOURCE OR DEFINED arg_PACKAGE))
    message(FATAL_ERROR "${function}: task ${arg_NAME} has neither SOURCE nor PACKAGE, or both; "
                        "give one of them")
  endif()
  set(made ${CMAKE_BINARY_DIR}/imported_tasks)
  if(DEFINED arg_PACKAGE)
    if(DEFINED arg_CONFIG)
      _robust_kbench_refuse(${function} CONFIG "'${arg_CONFIG}' beside PACKAGE"
                            "with SOURCE, since a package has its configs")
    endif()
    if(arg_OUT_ARGUMENTS)
      _robust_kbench_refuse(${function} OUT_ARGUMENTS "given beside PACKAGE"
                            "with SOURCE, since a package says it itself")
    endif()
    _robust_kbench_make_absolute(arg_PACKAGE)
    _robust_kbench_check_files(${function} PACKAGE ${arg_PACKAGE})
    _robust_kbench_read_package(directions ${arg_NAME} ${arg_PACKAGE})
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                 ${arg_PACKAGE})
  else()
    _robust_kbench_make_absolute(arg_SOURCE)
    _robust_kbench_check_torch_source(directions ${arg_NAME} ${arg_SOURCE})
    set(arg_PACKAGE ${made}/${arg_NAME}.task.json)
  endif()
  if(DEFINED arg_DIRECTORY)
    _robust_kbench_check_directory(${function} arg_DIRECTORY)
  else()
    set(arg_DIRECTORY ${made}/${arg_NAME})
  endif()

  set_property(GLOBAL APPEND PROPERTY ROBUST_KBENCH_TASKS ${arg_NAME})
  set(arg_IMPORTED_FROM ${arg_SOURCE})
  set(arg_DIRECTIONS ${directions})
  foreach(field IN ITEMS DIRECTORY NO_FAST_MATH SCOPE PACKAGE IMPORTED_FROM CONFIG OUT_ARGUMENTS
                         DIRECTIONS)
    set_property(GLOBAL PROPERTY ROBUST_KBENCH_TASK_${arg_NAME}_${field} "${arg_${field}}")
  endforeach()
  _robust_kbench_schedule_suite()
endfunction()

#[[
robust_kbench_add_torch_tasks(DIRECTORY <directory> [NO_FAST_MATH <name>...])

Adds every PyTorch module of a folder: robust_kbench_add_torch_task() for each package
<directory>/<name>.task.json, each <directory>/<name>.py and each <directory>/<name>/func_forward.py.
A package replaces the source of its name. A task has its file's name, in lower case, as a C++
identifier. A task that is added or removed later makes the next build configure again.
]]
function(robust_kbench_add_torch_tasks)
  set(function robust_kbench_add_torch_tasks)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DIRECTORY" "NO_FAST_MATH")
  _robust_kbench_check_arguments(${function} "${ARGV}" REQUIRED DIRECTORY
                                 KNOWN DIRECTORY NO_FAST_MATH)
  _robust_kbench_check_directory(${function} arg_DIRECTORY)
  file(GLOB packages CONFIGURE_DEPENDS ${arg_DIRECTORY}/*.task.json)
  file(GLOB files CONFIGURE_DEPENDS ${arg_DIRECTORY}/*.py)
  file(GLOB folders CONFIGURE_DEPENDS ${arg_DIRECTORY}/*/func_forward.py)
  if(NOT packages AND NOT files AND NOT folders)
    _robust_kbench_refuse(${function} DIRECTORY "'${arg_DIRECTORY}'"
                          "a directory with at least one .task.json, .py or <task>/func_forward.py")
  endif()
  set(names)
  foreach(path IN LISTS packages files folders)
    set(origin SOURCE)
    cmake_path(GET path FILENAME file_name)
    if(file_name STREQUAL "func_forward.py")
      cmake_path(GET path PARENT_PATH path)
    elseif(file_name MATCHES "[.]task[.]json$")
      set(origin PACKAGE)
    endif()
    cmake_path(GET path STEM name)
    string(MAKE_C_IDENTIFIER "${name}" name)
    string(TOLOWER "${name}" name)
    string(REGEX REPLACE "^[0-9_]+" "" name "${name}")
    if(origin STREQUAL "SOURCE" AND name IN_LIST names)
      continue()
    endif()
    list(APPEND names ${name})
    set(options)
    if(name IN_LIST arg_NO_FAST_MATH)
      list(REMOVE_ITEM arg_NO_FAST_MATH ${name})
      set(options NO_FAST_MATH)
    endif()
    robust_kbench_add_torch_task(NAME ${name} ${origin} ${path} ${options})
  endforeach()
  if(arg_NO_FAST_MATH)
    _robust_kbench_refuse(${function} NO_FAST_MATH "'${arg_NO_FAST_MATH}'"
                          "names of tasks in ${arg_DIRECTORY}")
  endif()
endfunction()

# The directions of a package. Refuses a package of another task.
function(_robust_kbench_read_package out name package)
  file(READ ${package} text)
  string(JSON own_name ERROR_VARIABLE error GET "${text}" name)
  if(error)
    _robust_kbench_refuse(robust_kbench_add_torch_task PACKAGE "'${package}', which is no package"
                          "a file that `rkb import` has made")
  endif()
  if(NOT own_name STREQUAL name)
    _robust_kbench_refuse(
      robust_kbench_add_torch_task NAME "'${name}', and the package's task is '${own_name}'"
      "the package's name; `rkb import --name` gives another")
  endif()
  set(directions forward)
  string(JSON backward ERROR_VARIABLE error TYPE "${text}" configs backward)
  if(NOT error)
    list(APPEND directions backward)
  endif()
  set(${out} ${directions} PARENT_SCOPE)
endfunction()

# The directions that a source will have.
function(_robust_kbench_check_torch_source out name source)
  if(NOT EXISTS ${source} OR (IS_DIRECTORY ${source} AND NOT EXISTS ${source}/func_forward.py))
    _robust_kbench_refuse(robust_kbench_add_torch_task SOURCE "'${source}'"
                          "an existing Python file, or a folder with func_forward.py")
  endif()
  get_property(python GLOBAL PROPERTY ROBUST_KBENCH_PYTHON)
  if(NOT python)
    message(FATAL_ERROR
            "robust_kbench_add_torch_task: SOURCE of task ${name} needs a Python that has torch, and "
            "RobustKBench found LibTorch without one; set RobustKBench_PYTHON, or import the source "
            "elsewhere by `rkb import` and give the package by PACKAGE")
  endif()
  set(directions forward)
  if(EXISTS ${source}/config_backward.json)
    list(APPEND directions backward)
  endif()
  set(${out} ${directions} PARENT_SCOPE)
endfunction()

# Adds the targets import_<task>, part of a plain build, for the tasks whose source is imported.
function(_robust_kbench_add_imports manifest)
  get_property(importer GLOBAL PROPERTY ROBUST_KBENCH_IMPORTER_SOURCES)
  file(GLOB importer_files CONFIGURE_DEPENDS ${importer}/importer/*.py)
  foreach(task IN LISTS ARGN)
    foreach(field IN ITEMS IMPORTED_FROM PACKAGE CONFIG OUT_ARGUMENTS)
      get_property(${field} GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_${field})
    endforeach()
    if(NOT IMPORTED_FROM)
      continue()
    endif()
    set(files ${IMPORTED_FROM})
    if(IS_DIRECTORY ${IMPORTED_FROM})
      file(GLOB files CONFIGURE_DEPENDS ${IMPORTED_FROM}/*.py ${IMPORTED_FROM}/*.json)
    endif()
    cmake_path(GET PACKAGE PARENT_PATH directory)
    set(options)
    foreach(config IN LISTS CONFIG)
      list(APPEND options --config ${config})
    endforeach()
    if(OUT_ARGUMENTS)
      list(APPEND options --out-arguments)
    endif()
    # `rkb import` leaves an unchanged package as it is. Its time is updated, or each build would
    # import again.
    add_custom_command(
      OUTPUT ${PACKAGE}
      COMMAND rkb --manifest ${manifest} import --name ${task} --out ${directory} ${options} --
              ${IMPORTED_FROM}
      COMMAND ${CMAKE_COMMAND} -E touch ${PACKAGE}
      DEPENDS ${files} ${importer_files}
      COMMENT "Importing ${task}"
      VERBATIM)
    add_custom_target(import_${task} ALL DEPENDS ${PACKAGE})
    add_dependencies(import_${task} rkb_agent) # it judges the package
  endforeach()
endfunction()

# For each target that needs the packages of these tasks. Ninja orders an import behind what all such
# targets depend on, and behind nothing else.
function(_robust_kbench_depend_on_imports target)
  foreach(task IN LISTS ARGN)
    if(TARGET import_${task})
      add_dependencies(${target} import_${task} rkb_agent)
    endif()
  endforeach()
endfunction()

# Adds the target compile_packages, which makes torch.compile packages of the imported tasks. It is
# never part of a plain build, since each package takes ten seconds and a Python that can import
# torch.
function(_robust_kbench_add_compile_packages manifest)
  set(imported)
  set(packages)
  foreach(task IN LISTS ARGN)
    get_property(package GLOBAL PROPERTY ROBUST_KBENCH_TASK_${task}_PACKAGE)
    if(package)
      list(APPEND imported ${task})
      list(APPEND packages ${package})
    endif()
  endforeach()
  if(NOT imported)
    return()
  endif()
  add_custom_target(compile_imported_packages
    COMMAND rkb --manifest ${manifest} compile-baseline ${imported}
    DEPENDS rkb ${manifest} ${packages}
    USES_TERMINAL
    VERBATIM)
  _robust_kbench_depend_on_imports(compile_imported_packages ${imported})
  # RobustKBench's own build has this target for its linked tasks already.
  if(NOT TARGET compile_packages)
    add_custom_target(compile_packages)
  endif()
  add_dependencies(compile_packages compile_imported_packages)
endfunction()
