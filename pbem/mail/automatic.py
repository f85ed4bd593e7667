"""Was a mail written by a machine (RFC 3834), and if it is a delivery report (RFC 3464), who was not reached?"""

from __future__ import annotations

from pbem.mail import phrases
from pbem.mail.headers import Headers, addresses, display, message_ids
from pbem.mail.structure import Part, decoded_body, read_headers
from pbem.mail.values import Automatic, Bounce, FailedRecipient

_LIST_FIELDS = ("list-id", "list-post", "list-help", "list-unsubscribe", "list-subscribe", "list-owner")
_AUTOMATIC_FIELDS = ("x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply")
_MACHINE_SENDERS = ("mailer-daemon", "postmaster")
_REPORT_BLOCKS = 50


def automatic_reason(headers: Headers, envelope_sender: str | None, bounce: Bounce | None) -> Automatic | None:
    """Why nobody wrote this mail, or None. The null sender counts from the envelope or from Return-Path.

    Auto-Submitted, a null sender and delivery reports are certain. Precedence, list headers, the Exchange header and
    telling subjects also occur on mail that a person wrote, so they are not.
    """
    if bounce is not None:
        return Automatic("delivery_report", "a delivery status report", True)
    submitted = display(headers.first("auto-submitted")).split(";")[0].strip().lower()
    if submitted and submitted != "no":
        return Automatic("auto_submitted", f"Auto-Submitted: {submitted[:60]}", True)
    if envelope_sender in ("", "<>") or any(value.strip() == "<>" for value in headers.all("return-path")):
        return Automatic("null_sender", "the null return path", True)
    for address in addresses(headers.all("from")):
        if address.split("@")[0] in _MACHINE_SENDERS:
            return Automatic("machine_sender", f"sent by {address.split('@')[0]}", True)
    for name in _AUTOMATIC_FIELDS:
        if headers.has(name):
            return Automatic("automatic_field", f"the header {name}", True)
    suppress = display(headers.first("x-auto-response-suppress")).lower()
    if suppress and suppress != "none":
        return Automatic("response_suppressed", f"X-Auto-Response-Suppress: {suppress[:60]}", False)
    precedence = display(headers.first("precedence")).lower()
    if precedence in ("bulk", "junk", "list", "auto_reply", "auto-reply"):
        return Automatic("precedence", f"Precedence: {precedence}", False)
    for name in _LIST_FIELDS:
        if headers.has(name):
            return Automatic("mailing_list", f"the header {name}", False)
    if phrases.AUTOMATIC_SUBJECT.match(display(headers.first("subject"))):
        return Automatic("subject", "a subject that automatic answers have", False)
    return None


def read_bounce(root: Part) -> Bounce | None:
    """The content of a delivery status notification; None for every other mail.

    Reports without their machine-readable part count too when the message says that it is a delivery report.
    """
    statuses: list[FailedRecipient] = []
    original = Headers(())
    is_report = root.content_type == "multipart/report" and root.report_type in ("delivery-status", "")
    for part in _leaves(root):
        if part.content_type in ("message/delivery-status", "message/global-delivery-status"):
            is_report = True
            statuses.extend(_recipient(block) for block in part.inner[:_REPORT_BLOCKS] if _is_recipient(block))
        elif is_report and part.content_type in ("message/rfc822", "message/global") and part.inner:
            original = part.inner[0]
        elif is_report and part.content_type in ("text/rfc822-headers", "message/rfc822-headers"):
            original = _headers_in(part)
    if not is_report:
        return None
    ids = message_ids(original.first("message-id"))
    return Bounce(tuple(statuses), ids[0] if ids else None, display(original.first("subject")))


def _leaves(part: Part) -> list[Part]:
    return [leaf for child in part.children for leaf in _leaves(child)] if part.children else [part]


def _is_recipient(block: Headers) -> bool:
    return block.has("final-recipient") or block.has("original-recipient")


def _recipient(block: Headers) -> FailedRecipient:
    # The original recipient is the address that we wrote to; the final one may be where it was forwarded.
    named = block.first("original-recipient") or block.first("final-recipient")
    return FailedRecipient(
        address=display(named).split(";")[-1].strip().lower(),
        action=display(block.first("action")).strip().lower(),
        status=display(block.first("status")).strip(),
        diagnostic=display(block.first("diagnostic-code"))[:300],
    )


def _headers_in(part: Part) -> Headers:
    if part.inner:
        return part.inner[0]
    body = decoded_body(part)
    if not isinstance(body, bytes):
        return Headers(())
    return read_headers(body + b"\n\n")
