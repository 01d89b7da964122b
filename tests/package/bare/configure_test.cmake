# Configures Trammel with HDF5, SUNDIALS and npm hidden, and checks its messages and targets. Run by CTest as
# bare.configure.
file(REMOVE_RECURSE ${place})
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${source} -B ${place} -G ${generator} -D CMAKE_CXX_COMPILER=${compiler}
          -D TRAMMEL_TESTS=OFF -D TRAMMEL_PYTHON=OFF -D TRAMMEL_WIDE=OFF
          -D CMAKE_DISABLE_FIND_PACKAGE_SerialHdf5=ON -D TRAMMEL_SUNDIALS_HEADERS= -D TRAMMEL_NPM=
  OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE failed)
message("${said}")
if(failed)
  message(FATAL_ERROR "a build without HDF5, SUNDIALS and npm cannot be configured")
endif()
foreach(told IN ITEMS "HDF5 is not here" "SUNDIALS (libsundials-dev) is not here" "npm was not found")
  string(FIND "${said}" "${told}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "nothing was said of '${told}'")
  endif()
endforeach()
file(READ ${place}/compile_commands.json commands)
foreach(part IN ITEMS write/run/hdf5.cpp simulate/integrate/sundials.cpp no_viewer_page.cpp)
  string(FIND "${commands}" "${part}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${part} is not part of the build")
  endif()
endforeach()
foreach(library IN ITEMS TRAMMEL_HDF5 TRAMMEL_HAS_SUNDIALS)
  string(FIND "${commands}" "-D${library}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${library} is defined, but what it stands for is hidden")
  endif()
endforeach()
