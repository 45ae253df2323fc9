"""The REST front: the RPCs as HTTP and JSON, by the annotations of the protos. No route is written here."""
