#pragma once
// Everything a design that embeds Weft needs: configuration, FiC and OPTWEB networks with TLM-2.0 base-protocol
// sockets, runs.

#include "base/diagnostics.h"               // IWYU pragma: export
#include "base/version.h"                   // IWYU pragma: export
#include "cli/any_config.h"                 // IWYU pragma: export
#include "fabrics/optweb/optweb_network.h"  // IWYU pragma: export
#include "run/tdm/tdm_platform.h"           // IWYU pragma: export
#include "run/tdm/tdm_simulation.h"         // IWYU pragma: export
#include "run/tdm/tdm_tlm_system.h"         // IWYU pragma: export
