# Installs Trammel into a fresh prefix of the build tree, then uses it from outside: with
# find_package, and with pkg-config. Run by CTest as install_consumer.
set(place ${build}/install-test)
file(REMOVE_RECURSE ${place})
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${place}/prefix)

run(${CMAKE_COMMAND} -S ${source}/consumer -B ${place}/consumer -G ${generator}
    -D CMAKE_PREFIX_PATH=${place}/prefix -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${place}/consumer)
run(${place}/consumer/consumer)

# an internal header is not there for a user
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "#include \"trammel/dynamics/workspace_buffers.hpp\""
                OUTPUT_FILE ${place}/internal.cpp)
execute_process(COMMAND ${compiler} -std=c++20 -fsyntax-only -I${place}/prefix/include ${place}/internal.cpp
                RESULT_VARIABLE status ERROR_VARIABLE message)
if(status EQUAL 0 OR NOT message MATCHES "workspace_buffers.hpp")
  message(FATAL_ERROR "an internal header can be included from an installation: ${message}")
endif()
file(GLOB_RECURSE kernels RELATIVE ${place}/prefix/include ${place}/prefix/include/trammel/*kernel*)
if(kernels)
  message(FATAL_ERROR "kernels are installed: ${kernels}")
endif()

file(GLOB_RECURSE pc ${place}/prefix/*/trammel.pc)
cmake_path(GET pc PARENT_PATH pc_dir)
cmake_path(GET pc_dir PARENT_PATH lib_dir)
set(ENV{PKG_CONFIG_PATH} ${pc_dir})
run(sh -ec "${compiler} -std=c++20 ${flags} ${source}/consumer/main.cpp $(pkg-config --cflags --libs trammel) -Wl,-rpath,${lib_dir} -o ${place}/by-pkg-config")
run(${place}/by-pkg-config)
