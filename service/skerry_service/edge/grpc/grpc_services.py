"""The services that a gRPC port serves: those of the API, health and reflection."""

from __future__ import annotations

from collections.abc import Sequence

from skerry_service.api.endpoint import Endpoint
from skerry_service.edge.grpc.health import HEALTH, HealthMethods
from skerry_service.edge.grpc.reflection import REFLECTION_ALPHA, REFLECTION_V1, ReflectionMethods


class GrpcServices:
    """The endpoints of one or several ports, and the statuses that health reports."""

    def __init__(self, endpoints: Sequence[Endpoint]) -> None:
        """``endpoints``: one for each service of the API."""
        self.public = endpoints
        """Those of the API."""
        names = tuple(endpoint.service.full_name for endpoint in endpoints)
        self.health = HealthMethods(names)
        reflection = ReflectionMethods((*names, HEALTH.full_name, REFLECTION_ALPHA.full_name))
        self.endpoints: Sequence[Endpoint] = (
            *endpoints,
            Endpoint(HEALTH, self.health),
            *(Endpoint(service, reflection) for service in (REFLECTION_ALPHA, REFLECTION_V1)),
        )
