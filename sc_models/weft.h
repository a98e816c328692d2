#pragma once
// Everything a design that embeds Weft needs: configuration, FiC and OPTWEB networks with TLM-2.0 base-protocol
// sockets, runs.

#include "base/diagnostics.h"
#include "base/version.h"
#include "cli/any_config.h"
#include "fabrics/optweb/optweb_network.h"
#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_simulation.h"
#include "run/tdm/tdm_tlm_system.h"
