# The serial build of the C library of HDF5: SerialHdf5::SerialHdf5. CMake's own module needs a C
# compiler and HDF5's compiler wrapper.
find_path(SerialHdf5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(SerialHdf5_LIBRARY NAMES hdf5_serial hdf5)
mark_as_advanced(SerialHdf5_INCLUDE_DIR SerialHdf5_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SerialHdf5 REQUIRED_VARS SerialHdf5_LIBRARY SerialHdf5_INCLUDE_DIR)
if(SerialHdf5_FOUND AND NOT TARGET SerialHdf5::SerialHdf5)
  add_library(SerialHdf5::SerialHdf5 UNKNOWN IMPORTED)
  set_target_properties(SerialHdf5::SerialHdf5 PROPERTIES IMPORTED_LOCATION ${SerialHdf5_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${SerialHdf5_INCLUDE_DIR})
  if(SerialHdf5_LIBRARY MATCHES "[.]a$")  # of a wheel: packaging/static_libraries.py
    set_target_properties(SerialHdf5::SerialHdf5 PROPERTIES INTERFACE_LINK_LIBRARIES "ZLIB::ZLIB;${CMAKE_DL_LIBS}")
  endif()
endif()
