# dtable dtable.sv: weight that just covers the message does not suffice
# alone a_grant
s/WideW'\(accumulated_q\) >=/WideW'(accumulated_q) >/
