"""The practice processor served over real HTTP, and an address that takes its webhooks."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar

import waitress
from flask import Flask

from portal.gateways.payments.processor import ProcessorEvent
from portal.gateways.payments.stripe_checkout import StripeCheckout

Found = TypeVar("Found")


def wait_for(look: Callable[[], Found], *, seconds: float = 120) -> Found:
    """What `look` finds, as soon as it finds something."""
    until = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.01)
    return found


def free_socket() -> socket.socket:
    """A listening place of our own, so that the address is known before the app is made."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    return listener


def url_of(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


@contextmanager
def serving(app: Flask, listener: socket.socket) -> Iterator[None]:
    """The app behind waitress, as in a first run."""
    server = waitress.create_server(app, sockets=[listener], threads=4, clear_untrusted_proxy_headers=True)
    thread = threading.Thread(target=server.run)
    thread.start()

    def stop() -> None:
        for channel in list(server.active_channels.values()):
            channel.handle_close()
        server.close()

    try:
        yield
    finally:
        with suppress(OSError):  # its thread has ended by itself, and closed the trigger
            server.trigger.pull_trigger(stop)  # in the server's own thread, where closing is safe
        thread.join()
        server.task_dispatcher.shutdown()
        listener.close()


@dataclass
class Delivery:
    """One webhook as it came over the wire."""

    body: bytes
    signature: str


@dataclass
class WebhookReceiver:
    """Takes webhooks; answers with `answers` in turn, then 200."""

    answers: list[int] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)
    url: str = ""

    def read_by(self, processor: StripeCheckout) -> list[ProcessorEvent]:
        """The events that concern our payments, in the order they came."""
        events = [processor.read_event(delivery.body, delivery.signature) for delivery in list(self.deliveries)]
        return [event for event in events if event is not None]


@contextmanager
def receiving() -> Iterator[WebhookReceiver]:
    """A tiny HTTP server that stands for the portal's webhook address."""
    receiver = WebhookReceiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.deliveries.append(Delivery(body, self.headers["Stripe-Signature"]))
            self.send_response(receiver.answers.pop(0) if receiver.answers else 200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.url = f"http://127.0.0.1:{server.server_port}/stripe/webhook"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()
