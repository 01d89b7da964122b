# Sources with small faults behind a run-time switch, for ./dev mutate: tools/mutants.py writes copies of
# the files that tests/mutants/*.toml names, and the library is built from the copies.
find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(TRAMMEL_MUTANT_FOLDER ${PROJECT_BINARY_DIR}/mutants)

# Makes the copies and replaces their originals by them in the given lists of sources.
function(trammel_mutate)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tools/mutants.py ${PROJECT_SOURCE_DIR} ${TRAMMEL_MUTANT_FOLDER}
    OUTPUT_VARIABLE copies RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed)
    message(FATAL_ERROR "the list of faults does not fit the sources")
  endif()
  string(REPLACE "\n" ";" copies "${copies}")
  foreach(list IN LISTS ARGN)
    set(changed "")
    foreach(source IN LISTS ${list})
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE file)
      if(file IN_LIST copies)
        set(source ${TRAMMEL_MUTANT_FOLDER}/${file})
      endif()
      list(APPEND changed ${source})
    endforeach()
    set(${list} ${changed} PARENT_SCOPE)
  endforeach()
  # the copies are made again when the list or a source changes
  file(GLOB lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/mutants/*.toml)
  list(FILTER lists EXCLUDE REGEX "/found_by.toml$")
  list(TRANSFORM copies PREPEND ${PROJECT_SOURCE_DIR}/)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${lists} ${copies} ${PROJECT_SOURCE_DIR}/tools/mutants.py)
endfunction()

# Headers with faults come before the originals in the include path.
function(trammel_mutate_headers)
  foreach(part IN LISTS ARGN)
    target_include_directories(${part} BEFORE PRIVATE ${TRAMMEL_MUTANT_FOLDER})
    # a fault may leave a variable unused; each change is compiled anew
    target_compile_options(${part} PRIVATE -Wno-error ${TRAMMEL_SIZE_OPTIMIZED})
  endforeach()
endfunction()
