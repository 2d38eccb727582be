# fuzz_with_server(TARGET): links the server without a network into a fuzzer or a test. In the place of libwebsockets is
# wire.c, so a function of it that is not there does not link.
set(fuzz_server_folder ${CMAKE_CURRENT_LIST_DIR})
find_library(MRL_LIBUV uv REQUIRED)
find_library(MRL_JANSSON jansson REQUIRED)
find_library(MRL_SODIUM sodium REQUIRED)

if(NOT TARGET fuzz_server)
	# Objects, not an archive: what they have is not to be looked for in the server's.
	add_library(fuzz_server OBJECT)
	foreach(file wire host visitor scene)
		target_sources(fuzz_server PRIVATE ${fuzz_server_folder}/${file}.c)
	endforeach()
	target_include_directories(fuzz_server PUBLIC ${fuzz_server_folder} ${fuzz_server_folder}/..)
	target_include_directories(fuzz_server PRIVATE ${CMAKE_SOURCE_DIR}/src/server ${CMAKE_BINARY_DIR}/include/server)
	target_compile_definitions(fuzz_server PRIVATE _GNU_SOURCE)
	# The server by its file: as a target it would bring libwebsockets.
	add_dependencies(fuzz_server merels_server)
	target_link_libraries(fuzz_server PUBLIC $<TARGET_FILE:merels_server> merels_play merels_store merels_work merels_bus merels_player
		merels_search merels_tables merels_notation merels_os ${MRL_LIBUV} ${MRL_JANSSON} ${MRL_SODIUM} m)
	if(MRL_FUZZ)
		target_compile_options(fuzz_server PRIVATE -fsanitize=fuzzer-no-link)
	endif()
endif()

function(fuzz_with_server target)
	target_link_libraries(${target} PRIVATE fuzz_server)
	add_dependencies(${target} merels_server)
endfunction()
