# Unity builds: the source files of one folder are compiled as one file, at most TRAMMEL_UNITY_BATCH at a
# time. Headers are read and templates (Eigen's, mostly) are instantiated once a batch: the engine
# compiles in a third of the time. A file must compile alone, too: the preset debug-clang has no unity builds.
option(TRAMMEL_UNITY "Compile the source files of a folder as one file" ON)
set(TRAMMEL_UNITY_BATCH 10 CACHE STRING "Most source files compiled as one")
mark_as_advanced(TRAMMEL_UNITY_BATCH)

# trammel_unity(<target> [BATCH <count>] [EXCEPT <regex>]): files whose path matches the regex are
# compiled one by one. To be called after the last target_sources.
function(trammel_unity target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BATCH;EXCEPT" "")
  if(NOT TRAMMEL_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
    return()
  endif()
  if(NOT arg_BATCH)
    set(arg_BATCH ${TRAMMEL_UNITY_BATCH})
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  if(arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "${arg_EXCEPT}")
  endif()
  list(SORT sources)
  set(folders "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    if(TRAMMEL_MUTANTS)  # a file with faults stays in the batch of its original
      string(REPLACE ${TRAMMEL_MUTANT_FOLDER}/ ${PROJECT_SOURCE_DIR}/ original ${source})
    else()
      set(original ${source})
    endif()
    cmake_path(GET original PARENT_PATH folder)
    # paths of no machine: so several clones share compiled files
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND files_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH files_${folder} count)
    # batches of equal size: 12 files are two batches of six
    math(EXPR batches "(${count} + ${arg_BATCH} - 1) / ${arg_BATCH}")
    math(EXPR size "(${count} + ${batches} - 1) / ${batches}")
    set(index 0)
    foreach(source IN LISTS files_${folder})
      math(EXPR batch "${index} / ${size}")
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${folder}_${batch})
      math(EXPR index "${index} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # a local variable may have the name of another file's constant
    # and gcc takes an included source file for a header
    target_compile_options(${target} PRIVATE -Wno-shadow -Wshadow=local -Wno-subobject-linkage)
  endif()
endfunction()
