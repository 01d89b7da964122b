"""All named tuples: descriptions and results."""
from trammel._descriptions import *
from trammel._description_inputs import *
from trammel._model_parts import *
from trammel._dynamics_results import *
from trammel._constraint_results import *
from trammel._mobility_results import *
from trammel._design_results import *
from trammel._simulation_results import *
