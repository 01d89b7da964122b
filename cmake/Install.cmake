# Installation: public headers by their full path, the library, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)
include(PublicHeaders)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/trammel)

install(TARGETS trammel EXPORT trammelTargets COMPONENT development)
trammel_public_headers(public_headers)
foreach(header IN LISTS public_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development)
endforeach()
install(EXPORT trammelTargets NAMESPACE trammel:: DESTINATION ${package_dir} COMPONENT development)

configure_package_config_file(cmake/trammelConfig.cmake.in trammelConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(trammelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/trammelConfig.cmake
              ${PROJECT_BINARY_DIR}/trammelConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindSerialHdf5.cmake DESTINATION ${package_dir} COMPONENT development)

# a static library passes its dependencies on to its users
if(BUILD_SHARED_LIBS)
  set(pc_requires "Requires: eigen3\nRequires.private: fmt tinyxml2 zlib")
else()
  set(pc_requires "Requires: eigen3 fmt tinyxml2 zlib")
  list(JOIN TRAMMEL_SUNDIALS_LIBRARIES " " pc_sundials)
endif()
if(NOT TRAMMEL_HAS_SUNDIALS)
  set(pc_sundials)
endif()
set(pc_libraries "")
if(SerialHdf5_FOUND AND NOT BUILD_SHARED_LIBS)  # its own .pc has a different name on every system
  set(pc_libraries " ${SerialHdf5_LIBRARY}")
endif()
# lib may be lib/x86_64-linux-gnu
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE pc_prefix)
configure_file(cmake/trammel.pc.in trammel.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/trammel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
