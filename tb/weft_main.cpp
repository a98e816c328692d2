// The `weft` program. libsystemc brings main(), which calls sc_main().

#include "cli/main.h"

int sc_main(int argc, char** argv) { return weft::cli::main(argc, argv, weft::cli::builtin_families()); }
