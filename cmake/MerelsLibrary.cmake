# merels_library(ROOM SOURCES file... [HEADERS name...] [DEPENDS room...] [PRIVATE_DEPENDS room...])
#
# A room of src/ as a static library `merels_ROOM`. Its public headers, named without the folder, are the only ones that
# its own include path shows: each is linked into include/ROOM/merels/ of the build tree. So a source sees its own
# room's headers and those of the rooms it depends on, and any other include fails to compile.
function(merels_library room)
	cmake_parse_arguments(arg "" "" "SOURCES;HEADERS;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
	set(shown ${CMAKE_BINARY_DIR}/include/${room})
	file(MAKE_DIRECTORY ${shown}/merels)
	foreach(header IN LISTS arg_HEADERS)
		file(CREATE_LINK ${CMAKE_SOURCE_DIR}/include/merels/${header} ${shown}/merels/${header} SYMBOLIC)
	endforeach()
	add_library(merels_${room} STATIC ${arg_SOURCES})
	target_include_directories(merels_${room} PUBLIC ${shown} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
	foreach(other IN LISTS arg_DEPENDS)
		target_link_libraries(merels_${room} PUBLIC merels_${other})
	endforeach()
	foreach(other IN LISTS arg_PRIVATE_DEPENDS)
		target_link_libraries(merels_${room} PRIVATE merels_${other})
	endforeach()
endfunction()
