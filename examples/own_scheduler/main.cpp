// The program `weft` with two more RTL blocks: configurations name them as `rtl: my_dtable`.

#include "cli/main.h"
#include "my_dtable.h"
#include "my_dtable_buggy.h"

int sc_main(int argc, char** argv) {
  weft::Registry registry = weft::cli::builtin_families();
  add_my_dtable(registry.blocks());
  add_my_dtable_buggy(registry.blocks());
  return weft::cli::main(argc, argv, registry);
}
