"""What can be wrong with a bot before it plays; every message is one sentence that names the bot, folder or file.

    BotError
    ├── ManifestError    bot.toml is missing or wrong
    ├── PackageError     the folder cannot be packed: a link, an unreadable file, a changed file
    ├── ArchiveError     an archive is none, is damaged, or holds what no bot needs
    ├── FolderError      no such bot, or two that cannot be told apart
    ├── RunError
    │   ├── BuildError   the build command failed
    │   └── StartError   the process did not come up within the start-up limit
    ├── UnkeptError      a bot that somebody submitted would run without the sandbox
    └── RemoteError      a remote bot's address, or the file of its certificates and tokens, is wrong

Failures of the arena's own (no memory, no descriptors, a full disk) stay `OSError`.
"""


class BotError(Exception):
    """Any of the below."""


class ManifestError(BotError):
    """A `bot.toml` is missing or wrong."""


class PackageError(BotError):
    """The files of a bot's folder cannot be packed."""


class ArchiveError(BotError):
    """An archive that cannot be read as a bot's, or holds what could do harm."""


class FolderError(BotError):
    """A bot was named that is not there, or that cannot be told apart from another."""


class RunError(BotError):
    """What was run of a bot failed; the message says what was seen, with the last of its own `words` at its end.

    `reason` is the message without them: what all may see who are not the bot's author. `output` are more of them, a
    line each.
    """

    def __init__(self, reason: str, words: str = "", output: str = "") -> None:
        super().__init__(reason + words)
        self.reason = reason
        self.output = output


class BuildError(RunError):
    """The build command of a bot failed or took too long."""


class StartError(RunError):
    """The process of a bot did not come up."""


class UnkeptError(BotError):
    """A bot that was submitted would run without the sandbox, which is never done."""


class RemoteError(BotError):
    """The address of a remote bot is none, or its certificates or token cannot be used."""
