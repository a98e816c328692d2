# circuit_records circuit_records.sv: the word of the first branch that accepts is kept
# alone a_words
s/words_i < words_o/words_i < words_i/
