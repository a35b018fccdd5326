# A repository with the sources as they are, committed or not, for FetchContent. A part of consume.cmake.
find_program(GIT git REQUIRED)
set(repository ${WORK}/repository)
file(REMOVE_RECURSE ${repository})
file(MAKE_DIRECTORY ${repository})
execute_process(COMMAND ${GIT} ls-files -z --cached --others --exclude-standard WORKING_DIRECTORY ${WEFT_SOURCE}
  OUTPUT_FILE ${WORK}/files COMMAND_ERROR_IS_FATAL ANY)
run(tar -C ${WEFT_SOURCE} --null --ignore-failed-read -T ${WORK}/files -cf ${WORK}/sources.tar)
run(tar -C ${repository} -xf ${WORK}/sources.tar)
run(${GIT} -C ${repository} init --quiet --initial-branch main)
run(${GIT} -C ${repository} add --all)
run(${GIT} -C ${repository} -c user.name=test -c user.email=test@localhost commit --quiet --message sources)
