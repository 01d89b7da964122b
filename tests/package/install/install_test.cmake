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

file(GLOB_RECURSE pc ${place}/prefix/*/trammel.pc)
cmake_path(GET pc PARENT_PATH pc_dir)
cmake_path(GET pc_dir PARENT_PATH lib_dir)
set(ENV{PKG_CONFIG_PATH} ${pc_dir})
run(sh -ec "${compiler} -std=c++20 ${flags} ${source}/consumer/main.cpp $(pkg-config --cflags --libs trammel) -Wl,-rpath,${lib_dir} -o ${place}/by-pkg-config")
run(${place}/by-pkg-config)
