"""TLS for every port of calls: certificates, keys, and whose clients' certificates are believed."""
