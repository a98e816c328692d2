# shared_space shared_space.sv: what VLs use of the shared space is not counted
# alone a_capacity
s/shared = shared - beyond\[v\*CountW \+: CountW\]/shared = shared/
