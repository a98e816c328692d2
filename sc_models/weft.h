#pragma once
// Everything a design that embeds Weft needs: configurations, FiC and OPTWEB networks with TLM-2.0 base-protocol sockets,
// runs, and the program `weft` as a function.

#include "base/diagnostics.h"               // IWYU pragma: export
#include "base/version.h"                   // IWYU pragma: export
#include "cli/main.h"                       // IWYU pragma: export
#include "fabrics/optweb/optweb_network.h"  // IWYU pragma: export
#include "run/optweb/optweb_family.h"       // IWYU pragma: export
#include "run/packet/packet_family.h"       // IWYU pragma: export
#include "run/tdm/tdm_family.h"             // IWYU pragma: export
#include "run/tdm/tdm_platform.h"           // IWYU pragma: export
#include "run/tdm/tdm_simulation.h"         // IWYU pragma: export
#include "run/tdm/tdm_tlm_system.h"         // IWYU pragma: export
