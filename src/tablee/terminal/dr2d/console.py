"""The console: one frame in, one frame out, until the game is over."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from tablee.terminal.dr2d import brain

SIDES = {"North": "N", "East": "E", "South": "S", "West": "O"}
LAWS = {"Enrichment_LawOne": 1, "Enrichment_LawTwo": 2, "Enrichment_LawThree": 3}
TRIES = 12
DR2D = Subprotocol("dr2d")


class Console:
    """What a console knows of its game, and how it answers. `say` hears what happens, for people to read."""

    def __init__(self, name: str = "", say: Callable[[str], object] = print) -> None:
        self.name, self.say = name, say
        self.me = self.player_uid = ""
        self.boards: dict[int, brain.Tiles] = {}
        self.artefacts: list[tuple[int, int]] = []
        self.robot: brain.Robot = (1, 1, "N")
        self.board, self.laws, self.energy = 0, 0, 7
        self.over = False

    def answer(self, text: str) -> str | None:
        """The reply to a frame; None to a service message."""
        frame = json.loads(text)
        if "stgyCall" not in frame:
            message = frame["ShortMessageService"]
            self.say(f"{message['msgCode']}: {message['msgDesc']}")
            if message["msgCode"] == "PlayersDiscovery" and message["msgArgs"]:
                self.remember(message["msgArgs"])
            return None
        call = frame["stgyCall"]
        args = self.heard(call["seq"], call["argsIn"] or {}, call["argsRef"])
        return json.dumps({"stgyReply": {"seq": call["seq"], "token": call["token"], "argsRef": args}})

    def heard(self, seq: str, told: Any, args: Any) -> Any:
        """Take in a call; what is not changed in its arguments is answered as it came."""
        match seq:
            case "GameInitialisation":
                self.player_uid = told["playerUID"]
            case "InitDeclareBoard":
                self.declare(told["board"])
            case "InitPlayerFeatures":
                self.me = told["mcndId"]
                args["avatar"]["name"] = self.name or args["avatar"]["name"]
            case "InitLocateArtefacts":
                self.artefacts = [(place["locX"], place["locY"]) for place in told["artefacts"]]
            case "InitStatusOfCompetitors" | "RoundStatusOfCompetitors":
                self.look(told["competitors"])
            case "RoundRequireCartouche":
                goal = self.artefacts[min(self.laws, 2)]
                args["cartouche"] = brain.cartouche(self.boards[self.board], self.robot, goal, self.energy)
            case "RoundRobotMovement" | "RoundBoardMovement":
                for robot, codes in told.items():
                    for code in codes:
                        self.say(f"{robot}: {code[8:]}")
                for code in told[f"mcnd{self.me}"]:
                    self.laws = LAWS.get(code[8:], self.laws)
            case "RoundBoardAction":
                self.board = int(told["action"]["args"].partition("=>")[2])
            case "QuestAchieved":
                self.say(f"QuestAchieved: {', '.join(told['completed'])}")
            case "GameFinalisation":
                self.over = True
        return args

    def declare(self, board: Any) -> None:
        tiles = {(t["tileLocX"], t["tileLocY"]): t["tileType"][8:] for t in board["boardActiveTiles"]}
        self.boards[board["boardIdx"]] = tiles

    def look(self, competitors: Any) -> None:
        for each in competitors:
            if each["mcndId"] == self.me:
                self.robot = (each["mcndLocX"], each["mcndLocY"], SIDES[each["azimuth"]])
                self.energy = each["energy"]

    def remember(self, told: Any) -> None:
        """What the house says to a console that comes back, which may have forgotten everything."""
        self.me, self.board, self.laws = told["mcndId"], told["board"], told["laws"]
        for board in told["boards"]:
            self.declare(board)
        self.heard("InitLocateArtefacts", told, None)
        self.look(told.get("competitors", []))


async def play(url: str, console: Console, token: str = "") -> None:
    """Play one game; a connection that breaks is made again. Raises OSError if the house is not there."""
    headers = {"Authorization": f"Bearer {token}"} if token else None
    for trial in range(TRIES):
        back = f"{url.partition('?')[0]}?playerUID={quote(console.player_uid)}"
        where = back if console.player_uid else url
        try:
            async with connect(where, subprotocols=[DR2D], additional_headers=headers) as line:
                try:
                    async for text in line:
                        reply = console.answer(str(text))
                        if reply is not None:
                            await line.send(reply)
                except ConnectionClosed as error:
                    console.say(str(error))
            if console.over or not console.player_uid:
                return
        except (OSError, ValueError, WebSocketException) as error:
            if trial == TRIES - 1 or not console.player_uid:
                raise OSError(f"{url}: {error}") from error
        await asyncio.sleep(trial)
