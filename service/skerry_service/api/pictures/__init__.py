"""Pictures of positions: drawn as SVG in the event loop, as PNG in a thread, and cached."""
