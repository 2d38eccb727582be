# fuzz_with_server(TARGET): links the server without a network into a fuzzer. In the place of libwebsockets is wire.c, so
# a function of it that is not there does not link.
set(fuzz_server_folder ${CMAKE_CURRENT_LIST_DIR})
find_library(MRL_LIBUV uv REQUIRED)
find_library(MRL_JANSSON jansson REQUIRED)
find_library(MRL_SODIUM sodium REQUIRED)

function(fuzz_with_server target)
	foreach(file wire host visitor scene)
		target_sources(${target} PRIVATE ${fuzz_server_folder}/${file}.c)
	endforeach()
	target_include_directories(${target} PRIVATE ${fuzz_server_folder}/.. ${CMAKE_SOURCE_DIR}/src/server
		${CMAKE_BINARY_DIR}/include/server)
	target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
	# By its file: as a target it would bring libwebsockets.
	add_dependencies(${target} merels_server)
	target_link_libraries(${target} PRIVATE $<TARGET_FILE:merels_server> merels_play merels_store merels_player
		merels_search merels_tables merels_notation merels_os ${MRL_LIBUV} ${MRL_JANSSON} ${MRL_SODIUM} m)
endfunction()
