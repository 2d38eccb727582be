/* The version of the program and the library, as semantic versioning has it. */
#ifndef MERELS_VERSION_H
#define MERELS_VERSION_H

#define MRL_VERSION "0.1.0"

#endif
