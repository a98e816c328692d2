#pragma once
// Plug-ins: shared objects that add RTL blocks, or families, to a program that loads them (`weft run --plugin
// libmine.so`). A plug-in has none of Weft's code in it; it uses that of the program, so it must have been built
// against the same headers with a compiler of the same ABI, which is checked before anything of it runs.
//
//   #include "run/plugin.h"
//   WEFT_PLUGIN([](weft::Registry& registry) { registry.blocks().packet.dtable.add("my_dtable", ...); })

#include <systemc>

#include "cosim/common/plugin_abi.h"
#include "run/registry.h"

/// Defines the entry of a plug-in: `registers` is called with the registry of the program. Weak, so that a program that
/// blocks are linked into may have the entries of several, which it does not use.
#define WEFT_PLUGIN(registers)                                                                      \
  extern "C" [[gnu::visibility("default"), gnu::weak]] const weft::PluginAbi weft_plugin_abi;       \
  extern "C" constinit const weft::PluginAbi weft_plugin_abi = weft::own_plugin_abi();              \
  extern "C" [[gnu::visibility("default"), gnu::weak]] void weft_plugin(weft::Registry& registry) { \
    (registers)(registry);                                                                          \
  }
