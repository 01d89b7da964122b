# A program outside the tree builds Trammel from an archive of its sources by FetchContent, and runs. Tests, command line,
# Python package and page are left out there, and its own flags are not changed. Run by CTest as package.fetch_content.
set(place ${build}/fetch-content)
file(REMOVE_RECURSE ${place})
file(MAKE_DIRECTORY ${place})
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} -E chdir ${source} ${CMAKE_COMMAND} -E tar czf ${place}/trammel.tar.gz
    CMakeLists.txt cmake models trammel viewer)
# quick to compile: without optimization and wider kernels
run(${CMAKE_COMMAND} -S ${source}/tests/package/fetch_content -B ${place}/build -G ${generator} -D CMAKE_BUILD_TYPE=Debug
    -D CMAKE_CXX_FLAGS_DEBUG=-O0 -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags} -D TRAMMEL_WIDE=OFF
    -D archive=${place}/trammel.tar.gz -D main=${source}/tests/package/install/consumer/main.cpp)
run(${CMAKE_COMMAND} --build ${place}/build --target consumer)
run(${place}/build/consumer)
file(READ ${place}/build/CMakeCache.txt cache)
foreach(part IN ITEMS TESTS CLI PYTHON VIEWER WERROR)
  if(NOT cache MATCHES "TRAMMEL_${part}:BOOL=OFF")
    message(FATAL_ERROR "TRAMMEL_${part} is not off in a build by FetchContent")
  endif()
endforeach()
