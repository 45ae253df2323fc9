"""A well-formed request of each RPC about ladders, for tables with a row for each RPC. They name no existing ladder."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.message import Message

from skerry.v1 import ladder_pb2 as pb

HASH = "0" * 64
LADDER_REQUESTS: Mapping[str, Message] = {
    "RegisterBot": pb.RegisterBotRequest(name="bots/gull", hash=HASH),
    "GetBot": pb.GetBotRequest(name="bots/gull"),
    "WakeBot": pb.WakeBotRequest(name="bots/gull"),
    "ListLadders": pb.ListLaddersRequest(),
    "GetLadder": pb.GetLadderRequest(name="ladders/kreta-2"),
    "ListLadderGames": pb.ListLadderGamesRequest(parent="ladders/kreta-2"),
    "GetHeadToHead": pb.GetHeadToHeadRequest(name="ladders/kreta-2", bot="bots/gull"),
    "FindLadderGame": pb.FindLadderGameRequest(name="ladders/kreta-2", bot="bots/gull", hash=HASH),
}
