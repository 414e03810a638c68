"""Every setting of the house: its name, its default and one sentence on what it does.

A setting comes from the first of these that gives it: the command line (`--minehive-port`), the environment
(`TABLEE_MINEHIVE_PORT`), a TOML file (`minehive_port`), the default.
"""

from __future__ import annotations

import difflib
import ipaddress
import math
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

ENVIRONMENT = "TABLEE_"

PortSetting = int | Literal["off"]
"""A TCP port; 0 lets the system choose; "off" keeps the door shut."""


class BadSetting(ValueError):
    """A setting that does not fit, in a sentence that names it and where it came from."""


def _says(sentence: str) -> msgspec.Meta:
    return msgspec.Meta(description=sentence)


# Why: docs/decisions.md#one-class-has-all-settings
class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one server process runs."""

    data: Annotated[str, _says("Folder of the database, the secrets and the mail files.")] = "data"
    database: Annotated[str, _says("URL of the database; without it, SQLite in the data folder.")] = ""
    redis: Annotated[
        str, _says("URL of a Redis or Valkey that carries the hints between nodes, instead of PostgreSQL.")
    ] = ""

    host: Annotated[str, _says("Address that every door listens on; 0.0.0.0 for all.")] = "127.0.0.1"
    port: Annotated[PortSetting, _says("Port of the web door: a number, 0 for a free one, or off.")] = 8000
    public_host: Annotated[
        str, _says("Name or address that players of the TCP doors are sent to, instead of the local one.")
    ] = ""
    origins: Annotated[
        str,
        _says("Origins of the house's own page where a proxy changes the host that is asked, with commas."),
    ] = ""
    proxies: Annotated[
        str, _says("Addresses of the reverse proxies whose X-Forwarded-For is believed, with commas.")
    ] = ""

    accounts_an_hour: Annotated[
        int, _says("How many accounts one network may make within an hour, over all doors.")
    ] = 60
    visitors_an_hour: Annotated[
        int, _says("How many visitors without an account one network may bring within an hour.")
    ] = 120
    network_connections: Annotated[
        int, _says("How many connections one network may have open at a time, over all doors.")
    ] = 500

    minehive_port: Annotated[
        PortSetting, _says("Port for Minehive clients: a number, 0 for a free one, or off.")
    ] = 5555
    minehive_host_port: Annotated[
        PortSetting, _says("Port for Minehive hosts: a number, 0 for a free one, or off.")
    ] = 7777
    minehive_hosts: Annotated[
        Literal["inline", "process"],
        _says("Where the matches' hosts run: inline in this process, or each in a process of its own."),
    ] = "inline"
    minehive_match_ports: Annotated[
        str, _says("Range A-B that the matches' own ports are taken from; without it, any free port.")
    ] = ""
    minehive_matches: Annotated[int, _says("How many Minehive matches may run at a time.")] = 10
    minehive_matches_each: Annotated[
        int, _says("How many of the running Minehive matches one player may have made.")
    ] = 2
    minehive_players: Annotated[int, _says("How many Minehive players may be here at a time.")] = 110
    minehive_match_players: Annotated[int, _says("How many players a Minehive match takes.")] = 10
    minehive_ping_seconds: Annotated[float, _says("How often a Minehive connection is sent RUOK.")] = 5.0
    minehive_silence_seconds: Annotated[
        float, _says("After how long without a line a Minehive connection is cut.")
    ] = 10.0
    minehive_idle_seconds: Annotated[
        float, _says("After how long with nothing but IMOK a Minehive client is sent away with KICK.")
    ] = 300.0

    pawnhub_port: Annotated[
        PortSetting,
        _says("Port for Pawn Hub clients of the framed dialect: a number, 0 for a free one, or off."),
    ] = 9797
    pawnhub_plain_port: Annotated[
        PortSetting,
        _says("Port for Pawn Hub clients of the plain dialect: a number, 0 for a free one, or off."),
    ] = 9798
    pawnhub_connections: Annotated[
        int, _says("How many Pawn Hub connections may be open at a time, over both ports.")
    ] = 2000

    dr2d_port: Annotated[
        PortSetting, _says("Port for DR2D consoles: a number, 0 for a free one, or off.")
    ] = 8282
    dr2d_seats: Annotated[int, _says("How many robots a game has that consoles begin, from 2 to 8.")] = 2
    dr2d_connections: Annotated[int, _says("How many DR2D consoles may be connected at a time.")] = 5000
    dr2d_arrivals: Annotated[
        int, _says("How many DR2D consoles without an account one network may bring within an hour.")
    ] = 600
    dr2d_reply_seconds: Annotated[float, _says("How long a DR2D console has to answer a call.")] = 10.0
    dr2d_cartouche_seconds: Annotated[float, _says("How long a DR2D console has for a cartouche.")] = 60.0
    dr2d_localization_seconds: Annotated[
        float, _says("How long a DR2D console has to choose its starting tile.")
    ] = 60.0

    afjd: Annotated[bool, _says("Serve the five AFJD services under /afjd of the web door.")] = True
    afjd_ports: Annotated[
        str,
        _says("Ports of their own for the AFJD services: a range like 5001-5005, 0 for free ones, or off."),
    ] = "off"
    afjd_origins: Annotated[
        str,
        _says("Origins elsewhere whose pages may call the AFJD services from a browser, with commas."),
    ] = ""
    afjd_token_minutes: Annotated[float, _says("How long a token of the AFJD services is good.")] = 15.0
    open_solver: Annotated[bool, _says("Answer the AFJD solver without the services' secret.")] = False
    time_zone: Annotated[
        str,
        _says("Time zone of the club, in which deadlines fall."),
    ] = "Europe/Paris"
    absence_days: Annotated[
        int, _says("Days a year on which a member may be away without a deadline falling on them.")
    ] = 21
    grace_hours: Annotated[
        int, _says("Hours after a deadline before civil disorder, in games made from now on.")
    ] = 24

    name: Annotated[str, _says("Name of the club, in its page and its mails.")] = "Tablée"
    public_url: Annotated[
        str, _says("Address at which people reach the site, for links in mails; without it, the local one.")
    ] = ""
    smtp: Annotated[
        str, _says("URL of the mail server (smtp, starttls or smtps); without it, mails are in DATA/mail.")
    ] = ""
    mail_from: Annotated[str, _says("Address of the sender of the house's mails.")] = "tablee@localhost"

    push_contact: Annotated[
        str,
        _says(
            "Where push services reach whoever runs the house, mailto: or https:; else mail_from, public_url."
        ),
    ] = ""
    outside_allow: Annotated[
        str,
        _says("Machines that the house may call though they are not public, as host:port with commas."),
    ] = ""

    orders_address: Annotated[
        str, _says("Address to which players send orders by mail, like ordres@exemple.fr; empty: none.")
    ] = ""
    orders_authserv: Annotated[
        str,
        _says("Name of the receiving server in its Authentication-Results; without it only tokens count."),
    ] = ""
    orders_lmtp: Annotated[
        str, _says("Where LMTP hands over orders by mail: HOST:PORT of the loopback, or a socket's path.")
    ] = ""
    orders_imap: Annotated[
        str, _says("URL of the mailbox of orders by mail: imaps://user:password@host/folder.")
    ] = ""
    orders_folder: Annotated[
        str, _says("Folder of that mailbox into which messages that were read are moved.")
    ] = "Tablee"
    orders_an_hour: Annotated[int, _says("How many letters of one account are answered within an hour.")] = 20

    super_administrator: Annotated[
        str, _says("Pseudo of the super-administrator who is made at the first start.")
    ] = "intendance"
    demo: Annotated[bool, _says("Keep open tables against robots in the lobby.")] = True
    patience_seconds: Annotated[
        float, _says("How long the end of the server waits for requests in flight and slow clients.")
    ] = 10.0

    log_format: Annotated[
        Literal["auto", "json", "pretty"],
        _says("How the log is written: JSON lines, pretty for people, or auto (pretty on a terminal)."),
    ] = "auto"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], _says("The least that is written to the log.")
    ] = "info"

    @property
    def database_url(self) -> str:
        """The database that is meant, SQLite in the data folder if none is given."""
        return self.database or f"sqlite:///{Path(self.data).absolute() / 'tablee.sqlite'}"

    @property
    def trusted_proxies(self) -> tuple[str, ...]:
        return _listed(self.proxies)

    @property
    def push_contact_url(self) -> str:
        """Whom a push service writes to before it shuts the house out."""
        if not self.push_contact and self.mail_from.endswith("@localhost") and _is_https(self.public_url):
            return self.public_url
        return self.push_contact or f"mailto:{self.mail_from}"

    @property
    def callable_machines(self) -> tuple[str, ...]:
        """Machines of one's own network that push messages and webhooks may go to."""
        return _listed(self.outside_allow)

    @property
    def trusted_origins(self) -> tuple[str, ...]:
        return _listed(self.origins)

    @property
    def front_ends(self) -> tuple[str, ...]:
        """Origins of pages elsewhere that call the AFJD services."""
        return _listed(self.afjd_origins)

    @property
    def service_ports(self) -> tuple[int, ...]:
        """A port for each AFJD service, none where they have no ports of their own; raises BadSetting."""
        given = self.afjd_ports.strip()
        if given in ("off", ""):
            return ()
        if given == "0":
            return (0,) * 5
        found = re.fullmatch(r"(\d{1,5})-(\d{1,5})", given)
        first, last = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 0 < first == last - 4 < 65532:
            raise BadSetting(
                f"afjd_ports is {given!r}: it must be five ports like 5001-5005, 0 for free ones, or off."
            )
        return tuple(range(first, last + 1))

    @property
    def match_ports(self) -> tuple[int, int] | None:
        """First and last port for matches; raises BadSetting if it is no range."""
        if not self.minehive_match_ports:
            return None
        found = re.fullmatch(r"(\d{1,5})-(\d{1,5})", self.minehive_match_ports)
        if found is None or not 0 < int(found[1]) <= int(found[2]) < 65536:
            raise BadSetting(
                f"minehive_match_ports is {self.minehive_match_ports!r}: it must be a range like 20000-20099."
            )
        return int(found[1]), int(found[2])


def _is_https(url: str) -> bool:
    return url.startswith("https://")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


class SettingInfo(msgspec.Struct, frozen=True):
    """One setting, for the command line and the documentation."""

    name: str
    kind: Any
    default: Any
    help: str

    @property
    def option(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return ENVIRONMENT + self.name.upper()


@cache
def all_settings() -> tuple[SettingInfo, ...]:
    """Every setting in the order of the class."""
    hints = get_type_hints(Settings, include_extras=True)
    found = []
    for field in msgspec.structs.fields(Settings):
        kind, meta = hints[field.name].__origin__, hints[field.name].__metadata__[0]
        found.append(SettingInfo(field.name, kind, field.default, meta.description))
    return tuple(found)


def read_settings(
    options: Mapping[str, Any], environment: Mapping[str, str], file: Path | None = None
) -> Settings:
    """The settings from all three sources; an option that is None was not given. Raises BadSetting."""
    names = {setting.name for setting in all_settings()}
    merged: dict[str, Any] = {}
    origin: dict[str, str] = {}
    for name, value in _of_file(file).items():
        if name not in names:
            raise BadSetting(f"{file}: there is no setting {name!r}. {_nearest(name, names)}".rstrip())
        merged[name], origin[name] = value, f"{name} in {file}"
    for variable, text in environment.items():
        name = variable.removeprefix(ENVIRONMENT).lower()
        if variable.startswith(ENVIRONMENT) and name in names:
            merged[name], origin[name] = text, variable
    for name, value in options.items():
        if value is not None:
            merged[name], origin[name] = value, "--" + name.replace("_", "-")
    settings = msgspec.convert({name: _fitted(name, merged[name], origin[name]) for name in merged}, Settings)
    _check(settings)
    return settings


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables that look like settings and are none: mistyped perhaps, or set by a container's host."""
    known = {setting.variable for setting in all_settings()} | {ENVIRONMENT + "CONFIG"}
    return sorted(name for name in environment if name.startswith(ENVIRONMENT) and name not in known)


def _of_file(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        with file.open("rb") as source:
            return tomllib.load(source)
    except OSError as error:
        raise BadSetting(f"The settings file {file} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"The settings file {file} is not TOML: {error}.") from error


_TRUTH = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off"), False)


def _fitted(name: str, value: Any, origin: str) -> Any:
    """The value as its setting's type, from text if need be."""
    kind = next(setting.kind for setting in all_settings() if setting.name == name)
    if kind is bool and isinstance(value, str):
        if value.lower() not in _TRUTH:
            raise BadSetting(f"{origin} is {value!r}: it must be true or false.")
        return _TRUTH[value.lower()]
    if kind == PortSetting and isinstance(value, str) and value.isdecimal():
        value = int(value)
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadSetting(f"{origin} is {value!r}: {_wanted(kind, str(error))}.") from error


def _wanted(kind: Any, reason: str) -> str:
    if kind == PortSetting:
        return "a port is a number from 0 to 65535, or off"
    values = getattr(kind, "__args__", ())
    if values:
        return "it must be one of " + ", ".join(map(str, values))
    return {int: "it must be a whole number", float: "it must be a number"}.get(kind, reason)


def _check(settings: Settings) -> None:
    for setting in all_settings():
        value = getattr(settings, setting.name)
        if setting.kind == PortSetting and value != "off" and not 0 <= value < 65536:
            raise BadSetting(f"{setting.name} is {value}: a port is a number from 0 to 65535, or off.")
        if setting.kind is float and not math.isfinite(value):
            raise BadSetting(f"{setting.name} is {value:g}: it must be a number that ends.")
        if setting.kind in (int, float) and value <= 0:
            raise BadSetting(f"{setting.name} is {value:g}: it must be more than 0.")
    if settings.minehive_silence_seconds <= settings.minehive_ping_seconds:
        raise BadSetting(
            "minehive_silence_seconds must be more than minehive_ping_seconds, or every client is cut off."
        )
    if settings.minehive_hosts == "process" and settings.minehive_host_port == "off":
        raise BadSetting("minehive_hosts is process: they need minehive_host_port to log in.")
    schemes = {
        "database": ("sqlite:///", "postgresql://", "postgres://"),
        "redis": ("redis://", "rediss://", "unix://"),
        "smtp": ("smtp://", "starttls://", "smtps://"),
    }
    for name, allowed in schemes.items():
        value = getattr(settings, name)
        if value and not value.startswith(allowed):
            raise BadSetting(f"{name} must begin with {' or '.join(allowed)}.")
    _ = settings.match_ports, settings.service_ports
    if not 2 <= settings.dr2d_seats <= 8:
        raise BadSetting(f"dr2d_seats is {settings.dr2d_seats}: a race has from 2 to 8 robots.")
    for name in ("dr2d_reply_seconds", "dr2d_cartouche_seconds", "dr2d_localization_seconds"):
        if getattr(settings, name) > 86_400:
            raise BadSetting(f"{name} is {getattr(settings, name):g}: it must be at most 86400, a day.")
    if settings.grace_hours > 336:
        raise BadSetting(f"grace_hours is {settings.grace_hours}: it must be at most 336, two weeks.")
    if settings.public_url and not re.fullmatch(r"https?://[^?#\s]+", settings.public_url):
        raise BadSetting(f"public_url is {settings.public_url!r}: it is like https://jeux.exemple.fr.")
    try:
        ZoneInfo(settings.time_zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadSetting(
            f"time_zone is {settings.time_zone!r}: it must be a time zone like Europe/Paris."
        ) from None
    _check_addresses(settings)


def _check_addresses(settings: Settings) -> None:
    """Refuse what would be taken without a word and then never fit anybody."""
    for name, origins in (("origins", settings.trusted_origins), ("afjd_origins", settings.front_ends)):
        for origin in origins:
            if not re.fullmatch(r"https?://[^/?#@*\s]+", origin):
                raise BadSetting(
                    f"{name} has {origin!r}: an origin is like https://jeux.exemple.fr, no more."
                )
    for proxy in settings.trusted_proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise BadSetting(
                f"proxies has {proxy!r}: a proxy is given by its address, like 127.0.0.1, or by a network."
            ) from None
    for name, example in (("mail_from", "club@exemple.fr"), ("orders_address", "ordres@exemple.fr")):
        address = getattr(settings, name)
        if not address and name == "orders_address":
            continue
        if not address.isascii() or not re.fullmatch(r"[^\s@<>(),;:\"\[\]\\]+@[^\s@<>(),;\"\\]+", address):
            raise BadSetting(f"{name} is {address!r}: it must be an address like {example}.")
    _check_orders(settings)
    if settings.push_contact and not re.fullmatch(
        r"mailto:[^\s@]+@[^\s@]+|https://[^\s/]+\S*", settings.push_contact
    ):
        raise BadSetting(
            f"push_contact is {settings.push_contact!r}: it is like mailto:club@exemple.fr or https://exemple.fr."
        )
    if not settings.name.strip() or not settings.name.isprintable():
        raise BadSetting(f"name is {settings.name!r}: it must be one line, and not empty.")


def _check_orders(settings: Settings) -> None:
    """Orders by mail need an address; LMTP, which asks nobody who he is, stays on this machine."""
    if "+" in settings.orders_address:
        raise BadSetting("orders_address has a +: what follows one in an address is for tokens.")
    if (settings.orders_lmtp or settings.orders_imap) and not settings.orders_address:
        raise BadSetting("orders_lmtp and orders_imap need orders_address, to which players write.")
    where = settings.orders_lmtp
    if where and not re.fullmatch(r"/\S+|(127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d{1,5}", where):
        raise BadSetting(f"orders_lmtp is {where!r}: it is like 127.0.0.1:2424, or /run/tablee/lmtp.")
    if settings.orders_imap and not re.match(r"imaps?://[^@/\s]+@[^/\s]+", settings.orders_imap):
        raise BadSetting("orders_imap is like imaps://user:password@imap.exemple.fr/INBOX.")


def _nearest(name: str, names: set[str]) -> str:
    near = difflib.get_close_matches(name, names, n=1)
    return f"Did you mean {near[0]!r}?" if near else ""
