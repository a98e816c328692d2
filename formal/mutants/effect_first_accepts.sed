# message_effect message_effect.sv: the first branch that accepts answers for all
# alone a_accepted
s/if \(all_accepted \&\& /if (/
