# Compile options of our own code: many warnings, exact floating point (no -ffast-math), and the few
# relaxations that change no result we rely on.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
# line numbers for the debugger, no variables: with them, the inlined recursions take four times as
# long to compile
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

# for precompiled headers: cached.sh. The parameters of the compiler's own memory change no object file.
set(TRAMMEL_CCACHE_TRUSTS CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 "CCACHE_IGNOREOPTIONS=--param=ggc-*")

# Builds with sanitizers take longer to compile than to run: nothing is optimized but the engine, a
# little.
set(TRAMMEL_SANITIZED OFF)
# for code that waits for people and files, or is compiled more often than it runs
set(TRAMMEL_SIZE_OPTIMIZED -O1)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(TRAMMEL_SANITIZED ON)
  set(TRAMMEL_SIZE_OPTIMIZED -O0)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # gcc does this by default
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,-]*thread")
      add_compile_definitions(__SANITIZE_THREAD__)
    else()
      add_compile_definitions(__SANITIZE_ADDRESS__)
    endif()
  endif()
endif()

# Hardening of released programs: stack protector, checked libc calls (FORTIFY),
# position-independent executables, relocations read-only from the start. TRAMMEL_CHECKED adds the
# assertions of the C++ library. Sanitizers have their own checks.
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
  if(NOT TRAMMEL_PRECOMPILE OR target STREQUAL "trammel_python" OR
     (count LESS 8 AND NOT target STREQUAL "trammel_test_headers"))  # few batches: it would not pay
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")  # for ccache
  endif()
  set(headers <algorithm> <cmath> <functional> <limits> <map> <memory> <numbers> <optional> <random> <span> <sstream>
              <string> <unordered_map> <variant> <vector> <Eigen/Core> <fmt/format.h>
              <trammel/dynamics/workspace.hpp> <trammel/model/model.hpp>)
  if(target STREQUAL "trammel_test_headers")
    list(APPEND headers <tests/support/eigen_instances.hpp> <gtest/gtest.h>)
  elseif(target MATCHES "_tests$")  # the test programs share one
    target_precompile_headers(${target} REUSE_FROM trammel_test_headers)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

function(trammel_flags target)
  file(RELATIVE_PATH up ${CMAKE_BINARY_DIR} ${PROJECT_SOURCE_DIR})
  set(top ${PROJECT_SOURCE_DIR}/=)
  # under the name of the everyday build, so that identical files come from the cache
  if(TRAMMEL_MUTANTS)
    set(top ${PROJECT_BINARY_DIR}=build/dev)
  endif()
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  trammel_harden(${target})
  trammel_precompile(${target})
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion $<$<BOOL:${TRAMMEL_WERROR}>:-Werror>
    # messages and debug symbols name files relative to the top folder, also when ccache makes paths
    # relative
    -ffile-prefix-map=${top} -ffile-prefix-map=${up}=
    -fno-math-errno      # sqrt is one instruction
    -fno-trapping-math)  # the floating-point flags are never read

  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # gcc 12 at -O3 has false positives in std::string (such as its bug 105651); clang and asan find
    # real ones
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-restrict)
    # gcc collects its garbage less often: 13 % less time and 150 MB more memory for a batch of files
    target_compile_options(${target} PRIVATE --param=ggc-min-expand=200 --param=ggc-min-heapsize=524288)
    # vectorization inside one body is slower than scalar code (SIMD packs states)
    target_compile_options(${target} PRIVATE -fno-tree-slp-vectorize)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -fno-slp-vectorize
      -ffp-contract=fast                         # the default of gcc
      -Wno-sign-conversion)  # gcc does not include it in -Wconversion
    if(NOT TRAMMEL_SANITIZED)
      # a pass of a recursion is one function once inlined
      target_compile_options(${target} PRIVATE "SHELL:-mllvm -inline-threshold=3000")
    endif()
  endif()
endfunction()
