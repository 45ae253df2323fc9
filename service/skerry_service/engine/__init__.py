"""The rules as a service without memory: requests in, answers out, computed in processes that know no session."""
