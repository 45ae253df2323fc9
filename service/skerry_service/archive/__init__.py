"""Where finished games go: a directory or an object store, from which they are read as they were before."""
