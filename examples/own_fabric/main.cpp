// The program `weft` with one more family: all commands of Weft work on a shared bus.

#include "cli/main.h"
#include "bus.h"

int sc_main(int argc, char** argv) {
  weft::Registry registry = weft::cli::builtin_families();
  registry.add(own::bus_family());
  return weft::cli::main(argc, argv, registry);
}
