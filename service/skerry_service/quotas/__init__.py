"""How much each caller may ask for, and all of them together: counted here or, by all replicas, in the store."""
