#pragma once
// Parameters of a pseudo channel as `memory.model: hbm2` has them by default, and 200 MHz beside it.

#include "algorithms/dram/dram_config.h"

namespace weft::test {

inline dram::Config dram_case() {
  dram::Config c;
  c.clock_ps = 1250;
  c.groups = 4;
  c.banks = 4;
  c.page_bytes = 1024;
  c.bank_bytes = std::uint64_t{16} << 20;
  c.fifo = 128;
  c.batch = 16;
  dram::Timing& t = c.timing;
  t.rcd_read = 10;
  t.rcd_write = 5;
  t.rp = 12;
  t.ras = 23;
  t.ccd_s = 2;
  t.ccd_l = 3;
  t.rrd_s = 4;
  t.rrd_l = 5;
  t.faw = 17;
  t.read = 14;
  t.write = 6;
  t.rtp = 4;
  t.wr = 12;
  t.wtr_s = 4;
  t.wtr_l = 8;
  t.rtw = 15;
  t.refi = 3120;
  t.rfc = 208;
  t.rfc_single = 77;
  return c;
}

}  // namespace weft::test
