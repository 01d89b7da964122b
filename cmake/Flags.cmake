# How our own code is compiled: loud about mistakes, exact about numbers (no -ffast-math), and with
# the few freedoms that change no result we rely on.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

function(trammel_flags target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion $<$<BOOL:${TRAMMEL_WERROR}>:-Werror>
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.  # messages and debug symbols name files as seen from the top
    -fno-math-errno      # sqrt is one instruction
    -fno-trapping-math)  # nobody reads the floating-point flags

  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # straight-line vectors inside one body are slower than plain registers (SIMD goes across states)
    target_compile_options(${target} PRIVATE -fno-tree-slp-vectorize)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -fno-slp-vectorize
      -ffp-contract=fast                         # as gcc does by itself
      "SHELL:-mllvm -inline-threshold=3000"      # a sweep is one function once inlined
      -Wno-unknown-warning-option -Wno-c++23-lambda-attributes)
  endif()
endfunction()
