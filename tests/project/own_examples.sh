#!/usr/bin/env bash
# Installs Weft into an empty folder, builds the examples that add a topology, a family, RTL and AXI4 against it, and
# holds what they say against closed forms, models, and each other.
# usage: own_examples.sh <source folder> <build folder> <python>
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$2" --prefix "$work/prefix" > "$work/install.log" || { cat "$work/install.log"; exit 1; }
launcher=()
export WEFT_CCACHE=
if command -v ccache > /dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache) WEFT_CCACHE=1; fi
for example in own_topology own_fabric own_scheduler own_router axi_soc own_reduction; do
  cp -r "$1/examples/$example" "$work/$example"
  cmake -S "$work/$example" -B "$work/$example/build" -DCMAKE_PREFIX_PATH="$work/prefix" "${launcher[@]}" \
    > "$work/configure.log" || { cat "$work/configure.log"; exit 1; }
  cmake --build "$work/$example/build" > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
done
"$3" "$1/tests/project/check_own_examples.py" "$work"
"$3" "$1/tests/project/check_own_rtl.py" "$1" "$work"
# A copy takes the cycles of the closed form, two copy every byte, and all pins are in the waveform.
(cd "$work/axi_soc" && build/axi_soc soc.yaml && build/axi_soc soc.yaml both soc.fst) > "$work/axi.log" ||
  { cat "$work/axi.log"; exit 1; }
[ "$(grep -c '^ok$' "$work/axi.log")" -eq 2 ]
# The largest of int16 in every memory, by the unit in C++ and by its RTL.
(cd "$work/own_reduction" && build/own_reduction network.yaml && build/own_reduction network.yaml rtl) > "$work/reduction.log" ||
  { cat "$work/reduction.log"; exit 1; }
[ "$(grep -c '^ok$' "$work/reduction.log")" -eq 2 ]
"$3" "$1/tests/project/check_own_boxes.py" "$work"
for pin in dma0_awvalid dma1_rdata bursts.dma1.reads.row0; do grep -q "$pin" "$work/axi_soc/soc.gtkw"; done
