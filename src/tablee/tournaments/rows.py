"""What tournaments ask the database."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, select, update

from tablee.store import Query
from tablee.store.schema import tournament, tournament_act, tournament_board

ADD = Query(insert(tournament))
ADD_ACT = Query(insert(tournament_act))
ADD_BOARD = Query(insert(tournament_board))
MOVE_ON = Query(
    update(tournament)
    .where(tournament.c.id == bindparam("b_id"), tournament.c.seq == bindparam("b_seq"))
    .values(seq=tournament.c.seq + 1, status=bindparam("b_status"), name_key=bindparam("b_name_key"))
)
STILL = Query(
    # A row that is touched and not changed: who writes at the end of the log meanwhile is a conflict.
    update(tournament)
    .where(tournament.c.id == bindparam("b_id"), tournament.c.seq == bindparam("b_seq"))
    .values(seq=tournament.c.seq)
)
ONE = Query(select(tournament).where(tournament.c.id == bindparam("b_id")))
ACTS = Query(
    select(tournament_act.c.seq, tournament_act.c.at, tournament_act.c.account_id, tournament_act.c.facts)
    .where(tournament_act.c.tournament_id == bindparam("b_id"), tournament_act.c.seq > bindparam("b_after"))
    .order_by(tournament_act.c.seq)
)
REQUESTED = Query(
    select(tournament_act.c.seq).where(
        tournament_act.c.tournament_id == bindparam("b_id"),
        tournament_act.c.account_id == bindparam("b_account_id"),
        tournament_act.c.request_id == bindparam("b_request_id"),
    )
)
BOARDS = Query(
    select(tournament_board)
    .where(tournament_board.c.tournament_id == bindparam("b_id"))
    .order_by(tournament_board.c.round, tournament_board.c.attempt, tournament_board.c.board)
)
BOARD_OF_TABLE = Query(select(tournament_board).where(tournament_board.c.table_id == bindparam("b_table_id")))
_ROW = (
    tournament_board.c.tournament_id == bindparam("b_id"),
    tournament_board.c.round == bindparam("b_round"),
    tournament_board.c.attempt == bindparam("b_attempt"),
    tournament_board.c.board == bindparam("b_board"),
)
GAME_ENDED = Query(
    # What an organiser has said stays: a game that ends later changes nothing.
    update(tournament_board)
    .where(*_ROW, tournament_board.c.result.is_(None))
    .values(result=bindparam("b_result"), version=tournament_board.c.version + 1)
)
SET_RESULT = Query(
    update(tournament_board)
    .where(*_ROW, tournament_board.c.version == bindparam("b_version"))
    .values(result=bindparam("b_result"), version=tournament_board.c.version + 1)
)
ADOPT = Query(
    update(tournament_board)
    .where(*_ROW, tournament_board.c.version == bindparam("b_version"))
    .values(
        seats=bindparam("b_seats"),
        table_id=bindparam("b_table_id"),
        result=bindparam("b_result"),
        version=tournament_board.c.version + 1,
    )
)
LISTED = Query(
    select(tournament)
    .where(tournament.c.status != "draft", tournament.c.id < bindparam("b_before"))
    .order_by(tournament.c.id.desc())
    .limit(bindparam("b_most"))
)
RUNNING = Query(select(tournament.c.id).where(tournament.c.status == "running").order_by(tournament.c.id))
