"""What strangers generate from the contract, and do with it. Needs the tools of package.json."""
