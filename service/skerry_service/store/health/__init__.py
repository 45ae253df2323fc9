"""The ticks of the store clock, and what they show: whether the store accepts writes."""
