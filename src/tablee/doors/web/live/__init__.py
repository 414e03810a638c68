"""The WebSocket and the streams: who is connected, what each listens to, what he is told."""
