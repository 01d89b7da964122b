# How our own code is compiled: loud about mistakes, exact about numbers (no -ffast-math), and with
# the few freedoms that change no result we rely on.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
# lines for the debugger, no variables: with them, the inlined sweeps take four times as long to compile
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

# Builds for sanitizers take longer to compile than to run: nothing is optimised but the engine, a little.
set(TRAMMEL_SANITIZED OFF)
set(TRAMMEL_UNHURRIED -O1)  # for what waits for people and files, or is compiled more often than it runs
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(TRAMMEL_SANITIZED ON)
  set(TRAMMEL_UNHURRIED -O0)
  set(TRAMMEL_CCACHE_TRUSTS CCACHE_SLOPPINESS=pch_defines,time_macros)  # as it asks for precompiled headers
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # gcc says it by itself
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,-]*thread")
      add_compile_definitions(__SANITIZE_THREAD__)
    else()
      add_compile_definitions(__SANITIZE_ADDRESS__)
    endif()
  endif()
endif()

# reading headers is half of what a file takes at -O0: the large ones of others are read once a target
function(trammel_precompile target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(count LESS 5)
    return()
  endif()
  set(headers <algorithm> <cmath> <functional> <map> <memory> <numbers> <optional> <random> <span> <sstream> <string>
              <unordered_map> <variant> <vector> <Eigen/Dense> <fmt/format.h>)
  if(target MATCHES "_tests$")
    list(APPEND headers <gtest/gtest.h>)
  endif()
  target_precompile_headers(${target} PRIVATE ${headers})
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # for ccache
endfunction()

function(trammel_flags target)
  file(RELATIVE_PATH up ${CMAKE_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion $<$<BOOL:${TRAMMEL_WERROR}>:-Werror>
    # messages and debug symbols name files as seen from the top, also when ccache makes paths relative
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${up}=
    -fno-math-errno      # sqrt is one instruction
    -fno-trapping-math)  # nobody reads the floating-point flags

  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # gcc 12 at -O3 sees ghosts in std::string (such as its bug 105651); clang and asan look for the real ones
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-restrict)
    # straight-line vectors inside one body are slower than plain registers (SIMD goes across states)
    target_compile_options(${target} PRIVATE -fno-tree-slp-vectorize)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -fno-slp-vectorize
      -ffp-contract=fast                         # as gcc does by itself
      -Wno-sign-conversion)  # which gcc does not count under -Wconversion
    if(TRAMMEL_SANITIZED)
      trammel_precompile(${target})
    else()
      target_compile_options(${target} PRIVATE "SHELL:-mllvm -inline-threshold=3000")  # a sweep is one function once inlined
    endif()
  endif()
endfunction()
