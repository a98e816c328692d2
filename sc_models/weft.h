#pragma once
// Everything a design that embeds Weft needs: configurations, networks of every fabric with TLM-2.0 base-protocol
// sockets and AXI4 pins at their nodes, OPTWEB networks with those of their hosts, runs, and the program `weft` as a
// function.

#include "base/diagnostics.h"
#include "base/version.h"
#include "cli/main.h"
#include "fabrics/optweb/optweb_network.h"
#include "run/optweb/optweb_family.h"
#include "run/packet/packet_family.h"
#include "run/tdm/tdm_family.h"
#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_run.h"
#include "run/tlm_system.h"
#include "run/trace.h"
#include "workload/axi/axi_checker.h"
#include "workload/axi/axi_manager.h"
#include "workload/axi/axi_stream_checker.h"
#include "workload/axi/axi_stream_receiver.h"
#include "workload/axi/axi_stream_transmitter.h"
#include "workload/axi/axi_subordinate.h"
