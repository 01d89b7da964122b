"""All named tuples: descriptions and results."""
from trammel._descriptions import *
from trammel._described_motion import *
from trammel._parts import *
from trammel._tree_answers import *
from trammel._loop_answers import *
from trammel._structure_answers import *
from trammel._design_answers import *
from trammel._motion_answers import *
