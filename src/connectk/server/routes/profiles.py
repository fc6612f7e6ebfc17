"""The profiles of people who play strangers, over HTTP."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from connectk.server import schemas
from connectk.server.dependencies import HostDep, SecretDep, client_address
from connectk.server.limits import QuotaExceeded
from connectk.server.routes.matches import REFUSAL_RESPONSES
from connectk.server.strangerviews import profile_view
from connectk.strangers.refusals import WrongTransferCode
from connectk.strangers.service import TRANSFER_SECONDS

router = APIRouter(prefix="/api/profiles", tags=["strangers"], responses=REFUSAL_RESPONSES)


@router.post("", status_code=201, response_model=schemas.ProfileAnswer)
async def create(body: schemas.NewProfileRequest, host: HostDep, request: Request) -> Any:
    """Make a profile. Keep the secret: there is no password, and anyone who has the secret can use your profile."""
    host.limits.profiles.take(client_address(request))
    return profile_view(await host.strangers.create_profile(body.secret, body.name), host.service.now())


@router.get("/me", response_model=schemas.ProfileAnswer)
async def me(host: HostDep, secret: SecretDep) -> Any:
    """Your profile: its name, its rating and its results."""
    return profile_view(await host.strangers.profile(secret), host.service.now())


@router.post("/me/name", response_model=schemas.ProfileAnswer)
async def rename(body: schemas.ProfileNameRequest, host: HostDep, secret: SecretDep) -> Any:
    """Take another name. With an empty name you are a guest."""
    profile = await host.strangers.profile(secret)
    if not host.limits.names.allows(profile.id):
        raise QuotaExceeded("names")
    return profile_view(await host.strangers.rename(profile, body.name), host.service.now())


@router.post("/me/transfer", response_model=schemas.TransferAnswer)
async def transfer(host: HostDep, secret: SecretDep) -> Any:
    """Get a code that gives this profile to another device. It works once and within ten minutes."""
    profile = await host.strangers.profile(secret)
    if not host.limits.names.allows(profile.id):
        raise QuotaExceeded("codes")
    return {"code": await host.strangers.transfer_code(profile), "seconds": round(TRANSFER_SECONDS)}


@router.post("/claim", response_model=schemas.ProfileAnswer)
async def claim(body: schemas.ClaimProfileRequest, host: HostDep, request: Request) -> Any:
    """Use a profile on this device too. This needs the code that the other device shows."""
    address = client_address(request)
    if not host.limits.wrong_codes.has_tokens(address):
        raise QuotaExceeded("wrong codes")
    try:
        profile = await host.strangers.claim_profile(body.code, body.secret)
    except WrongTransferCode:
        host.limits.wrong_codes.charge(address, 1.0)
        raise
    return profile_view(profile, host.service.now())


@router.post("/me/delete", response_model=schemas.DoneAnswer)
async def delete(host: HostDep, secret: SecretDep) -> Any:
    """Delete your profile with its name, its rating and the secrets of its devices."""
    await host.strangers.remove_profile(await host.strangers.profile(secret))
    return {"done": True}
