"""Letters that come in: orders and words of players who only read their mail."""

from tablee.doors.mail.door import MailDoor, Verdict
from tablee.doors.mail.settings import MailSettings

__all__ = ["MailDoor", "MailSettings", "Verdict"]
