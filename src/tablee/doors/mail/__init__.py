"""Letters that come in: orders and words of players who only read their mail."""

from tablee.doors.mail.desk import MailDesk, Verdict
from tablee.doors.mail.door import MailDoor
from tablee.doors.mail.settings import MailSettings

__all__ = ["MailDesk", "MailDoor", "MailSettings", "Verdict"]
