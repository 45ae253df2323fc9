"""Pure rules: no gRPC, no protobuf (but for each game's ``codec``), no Redis, no clock, no global random."""
