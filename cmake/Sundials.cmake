# Optional: the integrator "bdf". Found by library name: SUNDIALS' own CMake package also requires
# its build dependencies.
find_path(TRAMMEL_SUNDIALS_HEADERS cvode/cvode_proj.h)
set(TRAMMEL_SUNDIALS_LIBRARIES)
foreach(part IN ITEMS cvode nvecserial sunlinsoldense sunmatrixdense)
  find_library(TRAMMEL_SUNDIALS_${part} sundials_${part})
  mark_as_advanced(TRAMMEL_SUNDIALS_${part})
  list(APPEND TRAMMEL_SUNDIALS_LIBRARIES ${TRAMMEL_SUNDIALS_${part}})
endforeach()
find_library(TRAMMEL_SUNDIALS_ida sundials_ida)  # a reference in tests
mark_as_advanced(TRAMMEL_SUNDIALS_HEADERS TRAMMEL_SUNDIALS_ida)

set(TRAMMEL_HAS_SUNDIALS OFF)
if(TRAMMEL_SUNDIALS_HEADERS AND NOT "${TRAMMEL_SUNDIALS_LIBRARIES}" MATCHES NOTFOUND)
  set(TRAMMEL_HAS_SUNDIALS ON)
else()
  message(STATUS "SUNDIALS (libsundials-dev) is not here: the method bdf will say so")
endif()

function(trammel_add_sundials target)
  if(TRAMMEL_HAS_SUNDIALS)
    target_include_directories(${target} SYSTEM PRIVATE ${TRAMMEL_SUNDIALS_HEADERS})
    target_compile_definitions(${target} PRIVATE TRAMMEL_HAS_SUNDIALS)
    target_link_libraries(${target} PRIVATE ${TRAMMEL_SUNDIALS_LIBRARIES})
  endif()
endfunction()
