# iq_allocator iq_allocator.sv: only the first round counts
# alone a_maximal: Requesters=2 Resources=2 Rounds=2
s/match_o = gen_round\[Last\]/match_o = gen_round[0]/
