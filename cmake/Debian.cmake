# Debian packages by CPack, one for each component of the installation: trammel, libtrammel-dev, python3-trammel. Configured
# by ./dev deb (packaging/deb.py). Dependencies of programs and modules are found by dpkg-shlibdeps.
set(package_program trammel)
set(package_development libtrammel-dev)
set(package_python python3-trammel)
set(section_program science)
set(section_development libdevel)
set(section_python python)
set(description_program "Command line: checks models, simulates them and draws reports.")
set(description_development "Headers and static library for CMake and pkg-config.")
set(description_python "Python package with the names of the C++ library.")
# headers and libraries that users of the static library need
set(depends_development "libeigen3-dev, libfmt-dev, libtinyxml2-dev, zlib1g-dev")
if(SerialHdf5_FOUND)
  string(APPEND depends_development ", libhdf5-dev")
endif()
if(TRAMMEL_HAS_SUNDIALS)
  string(APPEND depends_development ", libsundials-dev")
endif()
# its module is for one version of the interpreter and, by Debian's pybind11, for numpy 1
find_package(Python REQUIRED COMPONENTS Interpreter)
math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
set(depends_python "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy (>= 1:1.24), python3-numpy (<< 1:2)")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME trammel)
set(CPACK_PACKAGE_CONTACT "Trammel authors <maintainers@trammel.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "multibody dynamics for robots and mechanisms of any topology")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program development python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

# the changelog of Debian's form; SOURCE_DATE_EPOCH is set by packaging/deb.py
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(changelog ${PROJECT_BINARY_DIR}/changelog.Debian)
file(WRITE ${changelog} "trammel (${PROJECT_VERSION}-1) unstable; urgency=medium

  * Built from the sources; their changes are in CHANGELOG.md.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND gzip -9nf ${changelog} COMMAND_ERROR_IS_FATAL ANY)

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package_${component}})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section_${component}})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends_${component}}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${description_${component}}")
  set(documents share/doc/${package_${component}})
  install(FILES ${changelog}.gz DESTINATION ${documents} COMPONENT ${component})
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/debian/copyright DESTINATION ${documents} COMPONENT ${component})
endforeach()
# Debian compiles Python files when they are installed, and removes the result with them
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/postinst ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
install(CODE "execute_process(COMMAND gzip -9nf \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/trammel.1 COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT program)
include(CPack)
