"""Every message between clients and the server.

A client's messages are pydantic models, because the server must validate them. The server's messages are typed
dictionaries, which mypy checks and which cost nothing at run time. OpenAPI, the description of the sockets and the
page's types are generated from both kinds. Data built by another package is described in that package's `messages`.
"""

from connectk.arena.messages import *  # noqa: F403
from connectk.notation.messages import *  # noqa: F403
from connectk.review.messages import *  # noqa: F403
from connectk.server.schemas.answers import *  # noqa: F403
from connectk.server.schemas.parts import *  # noqa: F403
from connectk.server.schemas.requests import *  # noqa: F403
from connectk.server.schemas.rooms import *  # noqa: F403
from connectk.server.schemas.socket import *  # noqa: F403
from connectk.server.schemas.strangers import *  # noqa: F403
from connectk.solver.messages import *  # noqa: F403
from connectk.why.messages import *  # noqa: F403
