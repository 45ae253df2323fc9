"""Finding a table: strangers whose wishes fit each other, brought together by whatever replicas hold their streams."""
