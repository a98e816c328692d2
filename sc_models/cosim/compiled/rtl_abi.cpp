// What the shared object with Weft's RTL blocks was built with.

#include "cosim/common/plugin_abi.h"

extern "C" [[gnu::visibility("default")]] const weft::PluginAbi weft_rtl_abi;
extern "C" constinit const weft::PluginAbi weft_rtl_abi = weft::own_plugin_abi();
