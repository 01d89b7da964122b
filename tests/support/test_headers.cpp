// Owner of the precompiled header of all test programs; it has no code of its own.
