"""Waits for an answer while the server goes away: dropped.py CLIENT SERVER.

Prints "waiting" when the request is out, then how it ended.
"""

import asyncio
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1].rsplit("/", 1)[0])
from plasmate_client import PlasmateClient, PlasmateError  # noqa: E402


async def main():
    client = PlasmateClient(sys.argv[2])
    await client.connect()
    session = await client.create_session()
    waiting = asyncio.create_task(client.navigate(session, "http://slow.test/"))
    print("waiting", flush=True)
    try:
        await waiting
    except (ConnectionError, PlasmateError) as error:
        print(type(error).__name__)
    try:
        await client.create_session()
    except ConnectionError as error:
        print(type(error).__name__)


asyncio.run(main())
