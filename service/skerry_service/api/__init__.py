"""The API: one front door for every transport, one method for each RPC, one table of errors. Knows no transport."""
