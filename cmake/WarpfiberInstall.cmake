# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` puts where, and the package that find_package(Warpfiber) finds. The package asks again for
# what the library links (WARPFIBER_LINK_TARGETS) and for nothing else.
include(CMakePackageConfigHelpers)

set(warpfiber_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Warpfiber")
set(warpfiber_targets warpfiber warpfiber_hooks warpfiber_hooks_of_library warpfiber_checked_code)
if(TARGET cuda_libraries)
  list(APPEND warpfiber_targets cuda_libraries)
endif()
if(WARPFIBER_SHARED)
  list(APPEND warpfiber_targets warpfiber_shared warpfiber_program)
  if(TARGET cuda_libraries)
    list(APPEND warpfiber_targets cuda_libraries_shared)
  endif()
endif()
install(
  TARGETS ${warpfiber_targets}
  EXPORT WarpfiberTargets
  FILE_SET HEADERS
  FILE_SET nvcc_headers
  FILE_SET testing_headers)
install(EXPORT WarpfiberTargets NAMESPACE Warpfiber:: DESTINATION "${warpfiber_package_dir}")
if(TARGET warpfiber_command)
  install(TARGETS warpfiber_command EXPORT WarpfiberTargets DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

set(WARPFIBER_FIND_DEPENDENCIES "find_dependency(Threads)\n")
if(Boost::context IN_LIST WARPFIBER_LINK_TARGETS)
  string(APPEND WARPFIBER_FIND_DEPENDENCIES "find_dependency(Boost COMPONENTS context)\n")
endif()
configure_package_config_file(cmake/WarpfiberConfig.cmake.in "${PROJECT_BINARY_DIR}/WarpfiberConfig.cmake"
                              INSTALL_DESTINATION "${warpfiber_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/WarpfiberConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/WarpfiberConfig.cmake" "${PROJECT_BINARY_DIR}/WarpfiberConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/WarpfiberCuda.cmake"
        DESTINATION "${warpfiber_package_dir}")
# Side by side as in the repository, so that links between them hold.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs examples DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES docs/findings.schema.json DESTINATION "${CMAKE_INSTALL_DATADIR}/warpfiber")
