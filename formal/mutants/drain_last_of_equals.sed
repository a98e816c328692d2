# drain_queue drain_queue.sv: of entries due at the same time the last one is first
# alone a_order
s/<= \$signed\(until_i\)/< $signed(until_i)/
