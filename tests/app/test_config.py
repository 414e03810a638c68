"""Where a setting comes from, and what is said about one that does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablee.config import BadSetting, Settings, all_settings, read_settings, unknown_variables


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tablee.toml"


def test_without_anything_given_the_defaults_hold() -> None:
    assert read_settings({}, {}) == Settings()


def test_the_file_wins_over_the_default(file: Path) -> None:
    file.write_text('port = 8100\ndemo = false\nminehive_port = "off"\n')
    settings = read_settings({}, {}, file)
    assert (settings.port, settings.demo, settings.minehive_port) == (8100, False, "off")


def test_the_environment_wins_over_the_file(file: Path) -> None:
    file.write_text("port = 8100\n")
    assert read_settings({}, {"TABLEE_PORT": "8200"}, file).port == 8200


def test_the_command_line_wins_over_the_environment(file: Path) -> None:
    file.write_text("port = 8100\n")
    assert read_settings({"port": "0", "host": None}, {"TABLEE_PORT": "8200"}, file).port == 0


@pytest.mark.parametrize(("text", "expected"), [("yes", True), ("0", False), ("True", True), ("off", False)])
def test_truth_is_read_from_the_usual_words(text: str, expected: bool) -> None:
    assert read_settings({}, {"TABLEE_DEMO": text}).demo is expected


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"port": "eighty"}, "--port is 'eighty': a port is a number from 0 to 65535, or off."),
        ({"port": "65536"}, "port is 65536: a port is a number from 0 to 65535, or off."),
        ({"log_level": "loud"}, "--log-level is 'loud': it must be one of debug, info, warning, error."),
        ({"minehive_matches": "many"}, "--minehive-matches is 'many': it must be a whole number."),
        ({"minehive_matches": "0"}, "minehive_matches is 0: it must be more than 0."),
        (
            {"minehive_match_ports": "9-1"},
            "minehive_match_ports is '9-1': it must be a range",
        ),
        ({"demo": "perhaps"}, "--demo is 'perhaps': it must be true or false."),
        (
            {"minehive_silence_seconds": "3"},
            "minehive_silence_seconds must be more than",
        ),
        ({"database": "mysql://here"}, "database must begin with sqlite:/// or postgresql://"),
        ({"patience_seconds": "nan"}, "patience_seconds is nan: it must be a number that ends."),
        ({"patience_seconds": "inf"}, "patience_seconds is inf: it must be a number that ends."),
        ({"origins": "jeux.exemple.fr"}, "origins has 'jeux.exemple.fr': an origin is like"),
        ({"afjd_origins": "*"}, "afjd_origins has '*': an origin is like"),
        ({"afjd_origins": "https://*.a.fr"}, "afjd_origins has 'https://*.a.fr': an origin is like"),
        ({"origins": "https://a.fr, https://b.fr/"}, "origins has 'https://b.fr/': an origin is like"),
        ({"proxies": "127.0.0.1, localhost"}, "proxies has 'localhost': a proxy is given by its address"),
        ({"orders_address": "ordres"}, "orders_address is 'ordres': it must be an address"),
        ({"orders_address": "ordres+x@b.fr"}, "orders_address has a +"),
        ({"orders_lmtp": "127.0.0.1:24"}, "orders_lmtp and orders_imap need orders_address"),
        ({"orders_address": "o@b.fr", "orders_lmtp": "0.0.0.0:24"}, "orders_lmtp is '0.0.0.0:24'"),
        ({"orders_address": "o@b.fr", "orders_imap": "imaps://host"}, "orders_imap is like imaps://"),
        ({"mail_from": "secretariat"}, "mail_from is 'secretariat': it must be an address"),
        ({"mail_from": "Club <a@b.fr>"}, "mail_from is 'Club <a@b.fr>': it must be an address"),
        ({"mail_from": "é@b.fr"}, "mail_from is 'é@b.fr': it must be an address"),
        ({"name": "Club\nBcc: x@y.fr"}, "name is 'Club\\nBcc: x@y.fr': it must be one line"),
        ({"name": " "}, "name is ' ': it must be one line"),
        ({"dr2d_seats": "9"}, "dr2d_seats is 9: a race has from 2 to 8 robots."),
        (
            {"dr2d_cartouche_seconds": "1e7"},
            "dr2d_cartouche_seconds is 1e+07: it must be at most 86400, a day.",
        ),
    ],
)
def test_a_setting_that_does_not_fit_is_named_in_a_sentence(options: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadSetting) as refused:
        read_settings(options, {})
    assert str(refused.value).startswith(sentence)


def test_lists_of_addresses_are_read_with_commas() -> None:
    given = {"origins": "https://jeux.exemple.fr, http://[::1]:8000", "proxies": "127.0.0.1, 10.0.0.0/8, ::1"}
    settings = read_settings(given, {})
    assert settings.trusted_origins == ("https://jeux.exemple.fr", "http://[::1]:8000")
    assert settings.trusted_proxies == ("127.0.0.1", "10.0.0.0/8", "::1")


def test_the_sentence_says_where_the_setting_came_from(file: Path) -> None:
    with pytest.raises(BadSetting, match=r"^TABLEE_PORT is 'x'"):
        read_settings({}, {"TABLEE_PORT": "x"})
    file.write_text("port = 'x'\n")
    with pytest.raises(BadSetting, match=f"^port in {file} is 'x'"):
        read_settings({}, {}, file)


def test_a_mistyped_setting_in_the_file_is_refused_with_the_nearest_name(file: Path) -> None:
    file.write_text("minehive_prot = 5555\n")
    with pytest.raises(BadSetting, match=r"no setting 'minehive_prot'\. Did you mean 'minehive_port'"):
        read_settings({}, {}, file)


def test_a_file_that_is_missing_or_no_toml_is_refused(file: Path) -> None:
    with pytest.raises(BadSetting, match="cannot be read"):
        read_settings({}, {}, file)
    file.write_text("port: 8000")
    with pytest.raises(BadSetting, match="is not TOML"):
        read_settings({}, {}, file)


def test_a_mistyped_variable_is_found_but_not_refused() -> None:
    environment = {"TABLEE_PROT": "1", "TABLEE_CONFIG": "x", "TABLEE_PORT": "2", "HOME": "/"}
    assert unknown_variables(environment) == ["TABLEE_PROT"]


def test_every_setting_has_a_sentence() -> None:
    for setting in all_settings():
        assert setting.help.endswith("."), setting.name
        assert setting.help[0].isupper(), setting.name


def test_sqlite_in_the_data_folder_is_the_database_where_none_is_given(tmp_path: Path) -> None:
    assert Settings(data=str(tmp_path)).database_url == f"sqlite:///{tmp_path}/tablee.sqlite"
    assert Settings(database="postgresql://h/d").database_url == "postgresql://h/d"
