"""Runs a client's own quick test (its __main__) as it is: quicktest.py CLIENT SERVER.

The file's text is not changed; connections to its default address are led to
SERVER, and a port that may be in use is not needed. A client that ends without
closing waits for the library's close_timeout, here 0.5 s instead of 10.
"""

import runpy
import sys

import websockets

connect = websockets.connect
websockets.connect = lambda url, **options: connect(url.replace("ws://127.0.0.1:9222", sys.argv[2]), **{"close_timeout": 0.5, **options})
runpy.run_path(sys.argv[1], run_name="__main__")
