#!/usr/bin/env bash
# Installs Weft into an empty folder, builds the example project against it, runs it.
# usage: embedding.sh <source folder> <build folder>
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$2" --prefix "$work/prefix" > "$work/install.log" || { cat "$work/install.log"; exit 1; }
"$work/prefix/bin/weft" version
for kind in any packet packet-part sweep; do
  grep -q '"additionalProperties": false' "$work/prefix/share/weft/schema/$kind.schema.json"
done
# The Python package finds the program that it was installed with.
if /usr/bin/python3 -c 'import pandas' 2> /dev/null; then
  (cd "$work" && env -u WEFT PATH=/usr/bin:/bin PYTHONPATH="$work/prefix/lib/python3/dist-packages" /usr/bin/python3 -B -c "
import weft
assert weft.find_program() == '$work/prefix/bin/weft', weft.find_program()
assert weft.run('$1/configs/packet/first.yaml', set={'run.measure': '5us'})['run.generated'] > 0")
fi
bash -n "$work/prefix/share/bash-completion/completions/weft"
grep -q '^#compdef weft' "$work/prefix/share/zsh/site-functions/_weft"
grep -q '^complete -c weft' "$work/prefix/share/fish/vendor_completions.d/weft.fish"
launcher=()
if command -v ccache > /dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cp -r "$1/examples/tlm_memory" "$work/example"
cmake -S "$work/example" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" "${launcher[@]}" > "$work/configure.log" \
  || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/build" > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
"$work/build/tlm_memory" "$work/example/fic.yaml" | tee "$work/output"
grep -q '^ok$' "$work/output"
for implementation in rtl lockstep; do  # the same through the RTL
  sed "s/slots: 4,/slots: 4, data_path: { implementation: $implementation }, slot_lut: { implementation: $implementation },/" \
    "$work/example/fic.yaml" > "$work/$implementation.yaml"
  "$work/build/tlm_memory" "$work/$implementation.yaml" > "$work/output.$implementation"
  diff "$work/output" "$work/output.$implementation"
done
# The same modules over packet switches.
"$work/build/tlm_memory" "$work/example/packet.yaml" packets | grep -q "^ok$"
# A configuration that does not fit ends with a message and status 2.
sed 's/dims: \[3, 3\]/dims: [2, 2]/' "$work/example/fic.yaml" > "$work/small.yaml"
status=0
"$work/build/tlm_memory" "$work/small.yaml" 2> "$work/errors" || status=$?
[ "$status" -eq 2 ] || { echo "status $status instead of 2"; exit 1; }
grep -q 'node 8' "$work/errors"
