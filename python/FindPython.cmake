# Finds a Python with numpy, preferably numpy 1 (older pybind11 cannot read numpy 2): the first
# python3 on the PATH may be another one than that of the system's packages. -D
# Python_EXECUTABLE=... overrides the search.
if(NOT Python_EXECUTABLE AND NOT SKBUILD)
  find_program(on_the_path python3 NO_CACHE)
  set(found "")
  foreach(test IN ITEMS "import numpy; assert numpy.__version__.startswith('1.')" "import numpy")
    foreach(candidate IN ITEMS ${on_the_path} /usr/bin/python3 /usr/local/bin/python3 /opt/homebrew/bin/python3)
      if(NOT found AND EXISTS ${candidate})
        execute_process(COMMAND ${candidate} -c "${test}" RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
        if(result EQUAL 0)
          set(found ${candidate})
        endif()
      endif()
    endforeach()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "Python package: no python3 here has numpy; install it (Debian: python3-numpy), say "
                        "which with -D Python_EXECUTABLE=..., or leave the package out with -D TRAMMEL_PYTHON=OFF")
  endif()
  set(Python_EXECUTABLE ${found} CACHE FILEPATH "The Python that the package is built for")
endif()
find_package(Python 3.8 REQUIRED COMPONENTS Interpreter Development.Module)
message(STATUS "Python package: for ${Python_EXECUTABLE} (${Python_VERSION})")
