# How our own code is compiled: loud about mistakes, exact about numbers (no -ffast-math), and with
# the few freedoms that change no result we rely on.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
# lines for the debugger, no variables: with them, the inlined sweeps take four times as long to compile
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

set(TRAMMEL_CCACHE_TRUSTS CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1)  # for precompiled headers: cached.sh

# Builds for sanitizers take longer to compile than to run: nothing is optimised but the engine, a little.
set(TRAMMEL_SANITIZED OFF)
set(TRAMMEL_UNHURRIED -O1)  # for what waits for people and files, or is compiled more often than it runs
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(TRAMMEL_SANITIZED ON)
  set(TRAMMEL_UNHURRIED -O0)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # gcc says it by itself
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,-]*thread")
      add_compile_definitions(__SANITIZE_THREAD__)
    else()
      add_compile_definitions(__SANITIZE_ADDRESS__)
    endif()
  endif()
endif()

# Hardening of what users run: stack protector, checked libc calls (FORTIFY), position-independent
# executables, relocations read-only from the start. TRAMMEL_CHECKED adds the assertions of the C++
# library. Sanitizers bring their own checks.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
function(trammel_harden target)
  if(TRAMMEL_SANITIZED OR NOT CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$")
    return()
  endif()
  target_compile_options(${target} PRIVATE -fstack-protector-strong
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>
    $<$<BOOL:${TRAMMEL_CHECKED}>:-D_GLIBCXX_ASSERTIONS>)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    target_link_options(${target} PRIVATE -Wl,-z,relro,-z,now)
  endif()
endfunction()

# Precompiled headers: reading the headers of Eigen, of the C++ library and of the model takes more
# than half of the time of a file (9.2 s of CPU without, 3.9 s with them, g++ 12 at -O2). A file must
# compile without them, too: the preset debug-clang has none.
option(TRAMMEL_PRECOMPILE "Read large headers once a target" ON)
function(trammel_precompile target)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(count LESS 8 OR NOT TRAMMEL_PRECOMPILE)
    return()
  endif()
  set(headers <algorithm> <cmath> <functional> <limits> <map> <memory> <numbers> <optional> <random> <span> <sstream>
              <string> <unordered_map> <variant> <vector> <Eigen/Core> <fmt/format.h>
              <trammel/dynamics/workspace.hpp> <trammel/model/model.hpp>)
  if(target MATCHES "_tests$")
    list(APPEND headers <tests/support/eigen_instances.hpp> <gtest/gtest.h>)
  endif()
  target_precompile_headers(${target} PRIVATE ${headers})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # for ccache
  endif()
endfunction()

function(trammel_flags target)
  file(RELATIVE_PATH up ${CMAKE_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  set(top ${PROJECT_SOURCE_DIR}/=)
  if(TRAMMEL_MUTANTS)  # under the name of the everyday build: what is compiled alike comes from the cache
    set(top ${PROJECT_BINARY_DIR}=build/dev)
  endif()
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  trammel_harden(${target})
  trammel_precompile(${target})
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion $<$<BOOL:${TRAMMEL_WERROR}>:-Werror>
    # messages and debug symbols name files as seen from the top, also when ccache makes paths relative
    -ffile-prefix-map=${top} -ffile-prefix-map=${up}=
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
    if(NOT TRAMMEL_SANITIZED)
      target_compile_options(${target} PRIVATE "SHELL:-mllvm -inline-threshold=3000")  # a sweep is one function once inlined
    endif()
  endif()
endfunction()
