"""How games look: symbols, grounds and pieces, the themes of colours, and pictures composed of them."""
