# usage: zsh -f zsh_offers.zsh LINE     What the completion in the file _weft of this folder offers at the end of LINE,
# one a line. Completion works in a line editor only, so an interactive shell on a terminal of its own is asked.
zmodload zsh/zpty
cat > zsh_init.zsh <<'EOF'
PROMPT=
fpath=($PWD $fpath)
autoload -U compinit && compinit -D -u
bindkey '^I' complete-word
mark() { print '@@' }
compprefuncs=(mark)
comppostfuncs=(mark exit)
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a found
  builtin compadd -A found "$@"
  (( $#found )) && print -l -- $found
  builtin compadd "$@"
}
print ready
EOF
zpty shell zsh -f -i
zpty -w shell 'source ./zsh_init.zsh'
zpty -r shell answer '*ready*'
zpty -n -w shell "$1"$'\t'
integer inside=0
while zpty -r shell line; do
  line=${line//[$'\r\n']/}
  case $line in
    *@@) (( inside++ )) && break ;;
    *) (( inside )) && print -r -- $line ;;
  esac
done
exit 0
