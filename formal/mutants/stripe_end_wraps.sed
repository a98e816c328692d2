# stripe_address stripe_address.sv: the end of a large piece wraps
s/= base \+ SumW'\(req_size_i\)/= SumW'({req_base_i + req_size_i})/
