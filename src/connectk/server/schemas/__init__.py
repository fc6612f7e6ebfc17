"""Every message of the server, in both directions.

Messages from clients are pydantic models, because they must be validated. Messages from the server are typed
dictionaries, which cost nothing at run time and are checked by mypy. OpenAPI, the socket's description and the page's
types are generated from them. Data that another package builds is described in that package's `messages`.
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
