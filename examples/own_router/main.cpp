// The program `weft` with two more RTL blocks: configurations name them as `rtl: my_router`.

#include "cli/main.h"
#include "my_router.h"
#include "my_router_buggy.h"

int sc_main(int argc, char** argv) {
  weft::Registry registry = weft::cli::builtin_families();
  add_my_router(registry.blocks());
  add_my_router_buggy(registry.blocks());
  return weft::cli::main(argc, argv, registry);
}
