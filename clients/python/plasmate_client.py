"""
plasmate_client.py - AWP v0.1 Python client

Usage:
    client = PlasmateClient("ws://127.0.0.1:9222")
    await client.connect()
    session = await client.create_session()
    await client.navigate(session, "https://example.com")
    som = await client.observe(session)
    print(json.dumps(som, indent=2))

Needs Python 3.9 and the package websockets (Debian: python3-websockets).
A server with an auth token is reached with "ws://HOST:PORT/?token=TOKEN".
"""

import asyncio
import json
import uuid

import websockets

REQUEST_TIMEOUT = 30  # seconds; a navigation gets its own timeout and a little more
_GRACE = 5  # seconds for the server to report a timeout of its own


class PlasmateClient:
    def __init__(self, url: str = "ws://127.0.0.1:9222"):
        self.url = url
        self.ws = None
        self._pending = {}
        self._task = None  # a task nobody holds may be collected while it runs

    async def connect(self):
        # A SOM may be larger than the library's default limit of 1 MiB.
        self.ws = await websockets.connect(self.url, max_size=None)
        self._task = asyncio.create_task(self._reader())
        try:
            return await self._request("awp.hello", {
                "client_name": "plasmate-python",
                "client_version": "0.1.0",
                "awp_version": "0.1",
            })
        except BaseException:
            await self.close()
            raise

    async def close(self):
        """Close the connection; its sessions end with it."""
        if self.ws is not None:
            await self.ws.close()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def __aenter__(self):
        await self.connect()
        return self

    async def __aexit__(self, *exc):
        await self.close()

    async def create_session(self, **kwargs) -> str:
        result = await self._request("session.create", kwargs)
        return result["session_id"]

    async def close_session(self, session_id: str):
        return await self._request("session.close", {"session_id": session_id})

    async def navigate(self, session_id: str, url: str, timeout_ms: int = 15000):
        return await self._request("page.navigate", {
            "session_id": session_id,
            "url": url,
            "timeout_ms": timeout_ms,
        })

    async def observe(self, session_id: str) -> dict:
        result = await self._request("page.observe", {"session_id": session_id})
        return result["som"]

    async def act(self, session_id: str, action: str, target: dict, value: str = None):
        intent = {"action": action, "target": target}
        if value is not None:
            intent["value"] = value
        return await self._request("page.act", {
            "session_id": session_id,
            "intent": intent,
        })

    async def extract(self, session_id: str, fields: dict) -> dict:
        result = await self._request("page.extract", {
            "session_id": session_id,
            "fields": fields,
        })
        return result["data"]

    async def _request(self, method: str, params: dict) -> dict:
        if self.ws is None:
            raise ConnectionError("not connected: await connect() first")
        if self._task is not None and self._task.done():
            raise ConnectionError("the connection to plasmate has ended")
        msg_id = uuid.uuid4().hex
        msg = {"id": msg_id, "type": "request", "method": method, "params": params}
        future = asyncio.get_running_loop().create_future()
        self._pending[msg_id] = future
        timeout = max(REQUEST_TIMEOUT, (params.get("timeout_ms") or 0) / 1000 + _GRACE)
        try:
            await self.ws.send(json.dumps(msg))
            return await asyncio.wait_for(future, timeout=timeout)
        finally:
            self._pending.pop(msg_id, None)

    async def _reader(self):
        reason = "the server closed the connection"
        try:
            async for raw in self.ws:
                msg = json.loads(raw)
                if msg.get("type") == "response":
                    self._answer(msg)
                # Events (v0.2) would be handled here
        except websockets.ConnectionClosed as closed:
            reason = str(closed)
        finally:
            self._fail_pending(reason)

    def _answer(self, msg: dict):
        future = self._pending.pop(msg.get("id"), None)
        if future is None or future.done():
            return
        if "error" in msg:
            error = msg["error"]
            future.set_exception(
                PlasmateError(error["code"], error["message"], error.get("details"))
            )
        else:
            future.set_result(msg.get("result", {}))

    def _fail_pending(self, reason: str):
        """Nobody may wait for an answer that cannot come any more."""
        pending, self._pending = self._pending, {}
        for future in pending.values():
            if not future.done():
                future.set_exception(ConnectionError("the connection to plasmate has ended: " + reason))


class PlasmateError(Exception):
    """An error response. details tells what a program needs to decide; it may be None."""

    def __init__(self, code: str, message: str, details: dict = None):
        self.code = code
        self.message = message
        self.details = details
        super().__init__(f"[{code}] {message}")


# --- Quick test ---
async def main():
    client = PlasmateClient()
    await client.connect()
    session = await client.create_session()

    nav = await client.navigate(session, "https://news.ycombinator.com")
    print(f"Loaded {nav['url']} ({nav['html_bytes']} bytes HTML, {nav['load_ms']}ms)")

    som = await client.observe(session)
    print(f"SOM: {som['meta']['som_bytes']} bytes, "
          f"{som['meta']['element_count']} elements, "
          f"{som['meta']['interactive_count']} interactive")

    print(f"\nToken ratio: {som['meta']['html_bytes'] / som['meta']['som_bytes']:.1f}x reduction")

    links = await client.extract(session, {
        "stories": {"role": "link", "all": True, "props": ["text", "href"]}
    })
    for link in links.get("stories", [])[:5]:
        print(f"  - {link['text'][:60]}")

    await client.close_session(session)
    await client.close()

if __name__ == "__main__":
    asyncio.run(main())
