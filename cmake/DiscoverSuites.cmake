# Writes one CTest entry per GoogleTest suite of `program` into `list`; see tests/CMakeLists.txt.
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[^ \n]+\\." suites "${text}")

set(commands "")
foreach(suite IN LISTS suites)
  string(STRIP "${suite}" suite)
  string(REGEX REPLACE "\\.$" "" suite "${suite}")
  if(suite MATCHES "^DISABLED_|/DISABLED_")
    continue()
  endif()
  string(REPLACE "/" "_" file "${prefix}.${suite}.json")
  string(APPEND commands
    "add_test([==[${prefix}.${suite}]==] [==[${program}]==] [==[--gtest_filter=${suite}.*]==] --gtest_brief=1 [==[--gtest_output=json:${results}/${file}]==])\n")
  if(environment)
    string(APPEND commands
      "set_tests_properties([==[${prefix}.${suite}]==] PROPERTIES ENVIRONMENT [==[${environment}]==])\n")
  endif()
endforeach()
file(WRITE ${list} "${commands}")
