# The pages of reports and plots: bundled from viewer/ into one source file, with packages that npm
# installs into the build folder while configuring. Without npm, or if npm cannot fetch them, the
# build works too; the pages are then plain and say so.
option(TRAMMEL_VIEWER "Put the 3-D page of reports and the page of plots into the library (needs npm)" ${PROJECT_IS_TOP_LEVEL})

# Sets `lacks` in the caller to the reason why there are no packages; empty if they are installed.
function(trammel_viewer_packages folder)
  if(NOT TRAMMEL_VIEWER)
    set(lacks "the option TRAMMEL_VIEWER is off" PARENT_SCOPE)
    return()
  endif()
  find_program(TRAMMEL_NODE NAMES node nodejs)
  find_program(TRAMMEL_NPM npm)
  mark_as_advanced(TRAMMEL_NODE TRAMMEL_NPM)
  if(NOT TRAMMEL_NODE OR NOT TRAMMEL_NPM)
    set(lacks "npm was not found when it was configured" PARENT_SCOPE)
    return()
  endif()
  set(source ${PROJECT_SOURCE_DIR}/viewer)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source}/package.json ${source}/package-lock.json)
  file(SHA256 ${source}/package-lock.json wanted)
  set(installed "")
  if(EXISTS ${folder}/installed.txt)
    file(READ ${folder}/installed.txt installed)
  endif()
  set(lacks "" PARENT_SCOPE)
  if(installed STREQUAL wanted)
    return()
  endif()
  message(STATUS "Fetching the packages of the pages of reports and plots")
  file(COPY ${source}/package.json ${source}/package-lock.json ${source}/.npmrc DESTINATION ${folder})
  execute_process(COMMAND ${TRAMMEL_NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
    WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 300)
  file(WRITE ${folder}/npm.log "${said}")
  if(failed)
    message(NOTICE "npm ci failed; its words are in ${folder}/npm.log")
    set(lacks "npm could not fetch its packages when it was configured" PARENT_SCOPE)
  else()
    file(WRITE ${folder}/installed.txt ${wanted})
  endif()
endfunction()

# Adds the page to a library.
function(trammel_add_viewer target)
  set(folder ${PROJECT_BINARY_DIR}/viewer)
  set(output ${PROJECT_BINARY_DIR}/viewer_page.cpp)
  trammel_viewer_packages(${folder})
  if(lacks)
    if(TRAMMEL_VIEWER)
      message(NOTICE "Reports and plots will be plain pages: ${lacks}")
    endif()
    set(output ${PROJECT_BINARY_DIR}/no_viewer_page.cpp)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/no_viewer_page.cpp.in ${output} @ONLY)
  else()
    set(source ${PROJECT_SOURCE_DIR}/viewer)
    file(GLOB parts CONFIGURE_DEPENDS ${source}/src/* ${source}/test/*)
    add_custom_command(OUTPUT ${output} VERBATIM WORKING_DIRECTORY ${folder}
      DEPENDS ${parts} ${source}/build.mjs ${source}/package-lock.json ${source}/tsconfig.json
      COMMENT "Bundling the pages of reports and plots"
      COMMAND ${CMAKE_COMMAND} -E copy_directory ${source}/src src
      COMMAND ${CMAKE_COMMAND} -E copy_directory ${source}/test test
      COMMAND ${CMAKE_COMMAND} -E copy ${source}/build.mjs ${source}/package.json ${source}/tsconfig.json .
      COMMAND ${TRAMMEL_NODE} build.mjs ${output})
    set(TRAMMEL_VIEWER_FOLDER ${folder} PARENT_SCOPE)  # for the tests
  endif()
  target_sources(${target} PRIVATE ${output})
endfunction()
