#pragma once
// Everything a design that embeds Weft needs: configuration, FiC and OPTWEB networks with TLM-2.0 base-protocol
// sockets, runs.

#include "base/diagnostics.h"              // IWYU pragma: export
#include "base/version.h"                  // IWYU pragma: export
#include "config/any_config.h"             // IWYU pragma: export
#include "config/config.h"                 // IWYU pragma: export
#include "fabric/optweb/optweb_network.h"  // IWYU pragma: export
#include "run/fic_platform.h"              // IWYU pragma: export
#include "run/fic_simulation.h"            // IWYU pragma: export
#include "run/fic_tlm_system.h"            // IWYU pragma: export
