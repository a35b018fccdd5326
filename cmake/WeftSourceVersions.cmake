# weft_source_version(<function> <header> <pattern>...)
#
# Adds a source to the library that defines <function>, such as core::preparation_version, which <header> declares: a
# hash of all files that match the patterns, relative to the project. Keys of caches have it, so that no two builds that
# may compile differently share an entry.
function(weft_source_version function header)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE files RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${patterns})
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  string(MAKE_C_IDENTIFIER ${function} name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/WeftHashSources.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DFOLDER=${PROJECT_SOURCE_DIR} -DOUTPUT=${output}
            -DFUNCTION=${function} -DHEADER=${header} -P ${script}
    DEPENDS ${paths} ${script}
    VERBATIM)
  target_sources(weft PRIVATE ${output})
  add_custom_target(weft_${name} DEPENDS ${output})  # a target of another folder sees the file, not the rule
  add_dependencies(weft weft_${name})
  # It changes often.
  set_source_files_properties(${output} TARGET_DIRECTORY weft PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
