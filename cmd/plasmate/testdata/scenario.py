"""Drives a plasmate server with a client given by file name: scenario.py CLIENT SERVER.

Prints one JSON object for the test to check. CLIENT is any file with the
classes PlasmateClient and PlasmateError; it is loaded as it is.
"""

import asyncio
import importlib.machinery
import importlib.util
import json
import sys


def load(path):
    loader = importlib.machinery.SourceFileLoader("client_under_test", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


async def scenario(module, server):
    seen = {}
    client = module.PlasmateClient(server)
    seen["hello"] = (await client.connect())["awp_version"]
    session = await client.create_session(locale="en-GB")
    nav = await client.navigate(session, "http://shop.test/")
    seen["status"] = nav["status"]
    som = await client.observe(session)
    seen["title"] = som["title"]
    seen["bytes agree"] = som["meta"]["html_bytes"] == nav["html_bytes"]
    data = await client.extract(session, {
        "heading": {"role": "heading", "level": 1},
        "price": {"text_match": r"\$\d+\.\d{2}"},
        "links": {"role": "link", "region": "main", "all": True, "props": ["text", "href"]},
    })
    seen["heading"], seen["price"], seen["links"] = data["heading"], data["price"], len(data["links"])
    done = await client.act(session, "type", {"text": "Search products", "role": "text_input"}, "wool")
    seen["typed"] = done["effects"]["som_changed"]
    done = await client.act(session, "click", {"text": "Search", "role": "button"})
    seen["navigated"] = done["effects"]["navigated"]
    seen["found"] = (await client.extract(session, {"found": {"role": "link", "region": "main", "all": True}}))["found"]
    try:
        await client.act(session, "click", {"ref": "e_000000000000"})
    except module.PlasmateError as error:
        seen["error"] = error.code
    seen["closed"] = (await client.close_session(session))["closed"]
    await client.ws.close()
    return seen


print(json.dumps(asyncio.run(scenario(load(sys.argv[1]), sys.argv[2]))))
