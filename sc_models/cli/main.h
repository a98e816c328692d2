#pragma once
// The program `weft` as a function, so that a user's program has all of its commands, with families of its own beside
// Weft's:
//
//   int sc_main(int argc, char** argv) {
//     weft::Registry registry = weft::cli::builtin_families();
//     registry.add(own_family());
//     return weft::cli::main(argc, argv, registry);
//   }

#include <systemc>  // declares sc_main, which has the linkage of C

#include "cli/families.h"

namespace weft::cli {

/// Reads the command line and calls one command; to be called from sc_main. Returns the exit status: 0 done, 1 the run
/// itself failed, 2 bad input, 130 interrupted.
int main(int argc, char** argv, const Registry& registry);

}  // namespace weft::cli
