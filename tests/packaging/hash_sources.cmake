# A version of sources: the same for the same sources in another folder, at another time; another one if a source
# changes, or gets another name.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})

# version_of(<variable> <folder> <files>...)
function(version_of variable folder)
  execute_process(
    COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DFOLDER=${folder} -DOUTPUT=${folder}/version.cpp
            -DFUNCTION=core::version -DHEADER=version.h -P ${SOURCE}/cmake/WeftHashSources.cmake
    COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${folder}/version.cpp version REGEX "return")
  set(${variable} "${version}" PARENT_SCOPE)
endfunction()

foreach(folder IN ITEMS here there)
  file(WRITE ${WORK}/${folder}/a.cpp "int a;\n")
  file(WRITE ${WORK}/${folder}/b.h "int b;\n")
endforeach()
file(WRITE ${WORK}/here/c.cpp "int a;\n")
execute_process(COMMAND touch -d "2001-01-01" ${WORK}/there/a.cpp COMMAND_ERROR_IS_FATAL ANY)
version_of(here ${WORK}/here a.cpp b.h)
version_of(there ${WORK}/there a.cpp b.h)
version_of(renamed ${WORK}/here c.cpp b.h)
file(WRITE ${WORK}/there/b.h "int  b;\n")
version_of(changed ${WORK}/there a.cpp b.h)
if(NOT here STREQUAL there)
  message(FATAL_ERROR "The version depends on the folder or on dates: ${here}, ${there}")
endif()
if(here STREQUAL renamed OR here STREQUAL changed)
  message(FATAL_ERROR "The version does not depend on names and contents: ${here}, ${renamed}, ${changed}")
endif()
