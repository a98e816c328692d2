# iq_allocator iq_allocator.sv: all resources are asked for
# alone a_asked
s/\(request_i\[q\*Resources \+: Resources\] & unused_by_any\)/unused_by_any/
