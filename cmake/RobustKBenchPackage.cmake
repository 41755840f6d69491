include_guard(GLOBAL)

# `cpack` makes a .deb and a .tar.gz of the installation, and the wheel of the client. None carries
# torch: bin/rkb_torch links that of the user's Python.
set(CPACK_PACKAGE_NAME robust-kbench)
set(CPACK_PACKAGE_VENDOR RobustKBench)
set(CPACK_SYSTEM_NAME ${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_CONTACT "the maintainers of RobustKBench")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_THREADS 0)

# All but the link to this machine's torch, in one package.
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/packaging/cpack_options.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# dpkg-shlibdeps refuses libraries of no package, as torch's are. So these are written by hand, and
# tests/cmake/container_test.py runs the programs where nothing else is.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++, libc6 (>= 2.36), libfmt9, libgomp1, libsqlite3-0, libstdc++6 (>= 12)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ccache, python3-venv")
# These are the packages that find_package(RobustKBench) needs.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake (>= 3.25.1), libcli11-dev, libfmt-dev, libgmock-dev, \
libgtest-dev, libsqlite3-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/packaging/prerm)

set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/packaging/client_wheel.cmake)
get_property(CPACK_ROBUST_KBENCH_PYTHON GLOBAL PROPERTY ROBUST_KBENCH_PYTHON)
include(CPack)
