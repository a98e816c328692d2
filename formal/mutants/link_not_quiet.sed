# link_sync link_sync.sv: the data lane shows old words between words
# alone a_quiet
s/full_q && rst_ni \? word_q : '0/word_q/
