"""Encodes and decodes sentences of the pod protocol."""

import binascii

LONGEST = 120
"""Maximum length without line end and proof."""

PROOF_LONGEST = 28
"""Two asterisks, ten digits, a tag of sixteen."""

_CHECK_SIGN, _COMMA, _ESCAPE = b"*,^"
_CHECK_LENGTH = 9  # asterisk and eight digits
_HEX = b"0123456789ABCDEF"


def build(kind, *fields):
    """Return the bytes of a sentence. Raises ValueError if it is too long.

    A field is a number, text, bytes, or a function that returns a number and is called in turn.
    """
    body = bytearray(b"TC" + kind)
    for field in fields:
        if isinstance(field, int):
            body += b",%d" % field
        elif callable(field):
            body += b",%d" % field()
        else:
            body.append(_COMMA)
            _escape(field if isinstance(field, bytes) else field.encode(), body)
    length = 1 + len(body) + _CHECK_LENGTH
    if length > LONGEST:
        raise ValueError(f"{bytes(body)!r} has {length} characters, at most {LONGEST} are allowed")
    return b"$" + bytes(body) + ending(body)


def ending(body):
    return b"*" + _check(body) + b"\r\n"


def parse(sentence):
    """Return kind and fields without `$` and line end, or None if invalid."""
    body = sentence[:-_CHECK_LENGTH]
    if len(sentence) >= LONGEST or sentence[-_CHECK_LENGTH:] != b"*" + _check(body):
        return None
    return _words(body)


def parse_proved(sentence):
    """Return kind and fields, and (number, tag, tagged bytes), or None twice."""
    parts = sentence.split(b"*")
    if len(parts) != 4:
        return None, None
    body, digits, tag, check = parts
    count = number(digits)
    made_of = body + b"*" + digits
    whole = len(body) + _CHECK_LENGTH < LONGEST and len(digits) <= 10 and len(tag) == 16
    if count is None or not whole or check != _check(made_of + b"*" + tag):
        return None, None
    return _words(body), (count, tag, made_of)


def _words(body):
    words = [_unescape(word) for word in body.split(b",")]
    if None in words or not _is_kind(words[0]):
        return None
    words[0] = words[0][2:]
    return words


def number(field):
    return int(field) if field.isdigit() and len(field) <= 20 else None


class Reader:
    """Finds sentences in a stream of bytes. `proof` is that of the last one, or None."""

    def __init__(self):
        self.proof = None
        self._begun = b""  # an unfinished sentence from `$` on

    def feed(self, data):
        """Yield kind and fields of complete sentences."""
        *ended, begun = (self._begun + data).split(b"\r")
        self._begun = _begun(begun)
        for text in ended:
            line = _begun(text)[1:]
            if not line or min(line) < 0x20 or max(line) > 0x7E:
                continue
            words, self.proof = parse_proved(line) if line.count(b"*") > 1 else (parse(line), None)
            if words is not None:
                yield words


def _begun(text):
    at = text.rfind(b"$")
    return text[at:] if at >= 0 and len(text) - at <= LONGEST + PROOF_LONGEST else b""


def _check(body):
    return f"{binascii.crc32(body):08X}".encode()


def _escape(text, body):
    for byte in text:
        if 0x20 <= byte < 0x7F and byte not in b"$*,^":
            body.append(byte)
        else:
            body.append(_ESCAPE)
            body.append(_HEX[byte >> 4])
            body.append(_HEX[byte & 15])


def _unescape(word):
    if _ESCAPE not in word:
        return None if _CHECK_SIGN in word else word
    text = bytearray()
    at = 0
    while at < len(word):
        byte = word[at]
        if byte == _CHECK_SIGN:
            return None
        if byte == _ESCAPE:
            digits = word[at + 1 : at + 3]
            if len(digits) < 2 or digits[0] not in _HEX or digits[1] not in _HEX:
                return None
            byte = int(digits, 16)
            at += 2
        text.append(byte)
        at += 1
    return bytes(text)


def _is_kind(word):
    return len(word) == 5 and word[:2] == b"TC" and all(65 <= letter <= 90 for letter in word[2:])
