# The kernels compiled again for a wider instruction set, in the same library, chosen at run time.
#
# The danger: a template or std:: inline function compiled here with AVX-512 is a weak symbol, and the
# linker may pick this copy for baseline code, which then dies on an older machine. So each wide set
#   1. is compiled as usual, into several objects;
#   2. is linked into one relocatable object; --force-group-allocation dissolves the COMDAT groups,
#      through which the linker would merge copies;
#   3. has every symbol made local but its entry, extern "C" trammel_kernels_<isa>.
# Its undefined symbols (malloc, memcpy, exceptions) are resolved as for any object.
# tools/check_wide_object.py checks the result in the tests.

set(TRAMMEL_CAN_WIDE OFF)
find_program(TRAMMEL_LD NAMES ld.bfd ld)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$"
   AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$" AND TRAMMEL_LD AND CMAKE_OBJCOPY)
  set(TRAMMEL_CAN_WIDE ON)
endif()

function(trammel_add_wide_kernels isa sources)  # followed by the flags of the instruction set
  set(parts trammel_parts_${isa})
  set(entry trammel_kernels_${isa})
  set(whole ${PROJECT_BINARY_DIR}/wide/${entry}.o)

  add_library(${parts} OBJECT ${sources})
  trammel_part(${parts})
  target_compile_options(${parts} PRIVATE ${ARGN} -fno-lto
    # gcc 12 warns about its own intrinsics; "unique" symbols would escape step 3
    $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized -fno-gnu-unique>)
  target_compile_definitions(${parts} PRIVATE TRAMMEL_ISA=${isa})

  add_custom_command(OUTPUT ${whole}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/wide
    COMMAND ${TRAMMEL_LD} -r --force-group-allocation -o ${whole} $<FILTER:$<TARGET_OBJECTS:${parts}>,EXCLUDE,[.]gch$>
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=${entry} ${whole}
    DEPENDS ${parts} $<FILTER:$<TARGET_OBJECTS:${parts}>,EXCLUDE,[.]gch$>
    COMMENT "Sealing the ${isa} kernels" COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${whole} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(trammel PRIVATE ${whole})
  set_property(GLOBAL APPEND PROPERTY TRAMMEL_WIDE_OBJECTS ${whole})
endfunction()
