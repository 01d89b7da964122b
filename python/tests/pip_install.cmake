# pip installs the source folder into a folder of its own, with the libraries of this machine; then an example and the command
# line run there. Flags and depth of the build folder are those of other builds, for ccache.
set(place ${build}/site)
file(REMOVE_RECURSE ${place})
execute_process(COMMAND ${python} -m pip install --no-deps --target ${place} --config-settings=build-dir=${source}/build/pip
                --config-settings=cmake.define.TRAMMEL_WERROR=ON ${source}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${place} ${python} ${source}/examples/pendulum.py
                WORKING_DIRECTORY ${build} OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "falls with 18.3937 rad/s\\^2|falls with 18.3938 rad/s\\^2")
  message(FATAL_ERROR "the installed package says: ${said}")
endif()
execute_process(COMMAND ${place}/bin/trammel eval @pendulum forward_dynamics OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "18[.]3937")
  message(FATAL_ERROR "the installed command line says: ${said}")
endif()
file(GLOB stubs ${place}/trammel/*.pyi ${place}/trammel/py.typed)
list(LENGTH stubs count)
if(count LESS 2)
  message(FATAL_ERROR "the installed package has no types: ${stubs}")
endif()
file(GLOB strangers LIST_DIRECTORIES true RELATIVE ${place} ${place}/*)
list(FILTER strangers EXCLUDE REGEX "^(trammel|bin|share$)")
if(strangers)
  message(FATAL_ERROR "pip also installed ${strangers}")
endif()
