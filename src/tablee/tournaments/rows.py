"""What tournaments ask the database."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, select, update

from tablee.store import Query
from tablee.store.schema import game_table, seat, tournament, tournament_act, tournament_board

ADD = Query(insert(tournament))
ADD_ACT = Query(insert(tournament_act))
ADD_BOARD = Query(insert(tournament_board))
MOVE_ON = Query(
    update(tournament)
    .where(tournament.c.id == bindparam("b_id"), tournament.c.seq == bindparam("b_seq"))
    .values(
        seq=tournament.c.seq + 1,
        status=bindparam("b_status"),
        name_key=bindparam("b_name_key"),
        due_at=bindparam("b_due_at"),
    )
)
_due = (
    select(tournament.c.id)
    .where(tournament.c.due_at <= bindparam("b_now"))
    .order_by(tournament.c.due_at, tournament.c.id)
    .limit(bindparam("b_most"))
    .with_for_update(skip_locked=True)
)
CLAIM_DUE = Query(
    update(tournament)
    .where(tournament.c.id.in_(_due.scalar_subquery()))
    .values(due_at=bindparam("b_until"))
    .returning(tournament.c.id)
)
LOOK_AGAIN = Query(
    # Whoever has acted since has said himself when it is due.
    update(tournament)
    .where(tournament.c.id == bindparam("b_id"), tournament.c.seq == bindparam("b_seq"))
    .values(due_at=bindparam("b_due_at"))
)
PLAYING = Query(
    select(tournament_board.c.round, tournament_board.c.attempt, tournament_board.c.board)
    .join(game_table, game_table.c.id == tournament_board.c.table_id)
    .where(
        tournament_board.c.tournament_id == bindparam("b_id"), game_table.c.status.in_(("open", "running"))
    )
)
SEEN = Query(select(seat.c.seat, seat.c.seen_at).where(seat.c.table_id == bindparam("b_table_id")))
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
DRAFTS = Query(
    select(tournament).where(tournament.c.status == "draft").order_by(tournament.c.id.desc()).limit(200)
)
LISTED = Query(
    select(tournament)
    .where(tournament.c.status != "draft", tournament.c.id < bindparam("b_before"))
    .order_by(tournament.c.id.desc())
    .limit(bindparam("b_most"))
)
RUNNING = Query(select(tournament.c.id).where(tournament.c.status == "running").order_by(tournament.c.id))
