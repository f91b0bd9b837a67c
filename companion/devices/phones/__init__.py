"""Phones as pods: a web page, and a WebSocket for each seat. See docs/phones.md."""
