"""Every message of the server, in both directions.

What a client sends is checked, so it is a model; what the server says is made here, so it is a typed dictionary that
costs nothing and that mypy holds to its shape. OpenAPI, the socket's description and the page's types come from these.
What a package below builds is described there, in its `messages`.
"""

from connectk.arena.messages import *  # noqa: F403
from connectk.notation.messages import *  # noqa: F403
from connectk.review.messages import *  # noqa: F403
from connectk.server.schemas.answers import *  # noqa: F403
from connectk.server.schemas.orders import *  # noqa: F403
from connectk.server.schemas.parts import *  # noqa: F403
from connectk.server.schemas.rooms import *  # noqa: F403
from connectk.server.schemas.socket import *  # noqa: F403
from connectk.solver.messages import *  # noqa: F403
from connectk.why.messages import *  # noqa: F403
