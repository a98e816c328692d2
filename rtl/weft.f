// File list of Weft's blocks for simulators and synthesis tools, relative to this folder: verilator -F rtl/weft.f
+incdir+optweb
+incdir+packet
+incdir+tdm
optweb/command_sequencer.sv
optweb/link_sync.sv
optweb/stripe_address.sv
packet/drr.sv
packet/dtable.sv
tdm/slot_lut.sv
tdm/slot_table.sv
tdm/tdm_switch.sv
