# host_interface host_interface.sv: bits of a stray are handed out
# alone a_word
s/takes \? in_word_i\[l\*Width \+: Width\] : '0/in_word_i[l*Width +: Width]/
