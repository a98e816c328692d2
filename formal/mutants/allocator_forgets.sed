# iq_allocator iq_allocator.sv: a round forgets the matches of those before
# alone a_kept
s/matched = earlier \| accepted/matched = accepted/
