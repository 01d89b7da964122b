"""An independent judge of small mechanisms: rank, mobility and accelerations in maximal coordinates, with 50 digits.

It reads model files by itself and shares no code with the engine: see ../README.md."""
