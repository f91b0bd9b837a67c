"""Phones as pods: a page, a WebSocket for each seat, and the codes by which one sits down. docs/phones.md"""
