"""Players at tables of a service somewhere else. Needs ``skerry-client``: the extra ``remote``."""
