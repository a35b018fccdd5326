# An overlay port in Weft's own sources: vcpkg install weft --overlay-ports=weft/packaging/vcpkg
cmake_path(SET source NORMALIZE "${CURRENT_PORT_DIR}/../../..")
set(backends "")
foreach(backend IN ITEMS vulkan host)
  if(backend IN_LIST FEATURES)
    list(APPEND backends ${backend})
  endif()
endforeach()
set(compilers OFF)
if("compilers" IN_LIST FEATURES)
  set(compilers ON)
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${source}"
  OPTIONS
    "-DWEFT_BACKENDS=${backends}"
    -DWEFT_COMPILERS=${compilers}
    -DWEFT_BUILD_TOOLS=OFF
    -DWEFT_BUILD_TESTS=OFF
    -DWEFT_BUILD_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/weft)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
