# In a wheel fmt and tinyxml2 are the archives of static_libraries.py, in TRAMMEL_ARCHIVES. Headers and compile flags stay
# those of Debian's packages, made from the same sources: so ccache has the objects of other builds.
foreach(library IN ITEMS fmt tinyxml2)
  find_package(${library} REQUIRED)
  get_target_property(configurations ${library}::${library} IMPORTED_CONFIGURATIONS)
  foreach(configuration IN LISTS configurations)
    set_target_properties(${library}::${library} PROPERTIES
      IMPORTED_LOCATION_${configuration} ${TRAMMEL_ARCHIVES}/lib${library}.a)
  endforeach()
endforeach()
