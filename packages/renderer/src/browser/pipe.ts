import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';

/** One message of the browser at most; a screenshot comes as one, in base64. */
const MESSAGE_MAX_BYTES = 256 * 1024 * 1024;

/** The DevTools protocol over the two pipes of `--remote-debugging-pipe`: messages of JSON, each ended by a NUL. `fail` is told of one too large. */
export function pipeTransport(toBrowser: Writable, fromBrowser: Readable, fail: () => void): ConnectionTransport {
  let pieces: Buffer[] = [];
  let pending = 0;
  let closed = false;
  const transport: ConnectionTransport = {
    send(message) {
      if (!closed) toBrowser.write(`${message}\0`);
    },
    close() {
      closed = true;
      toBrowser.destroy();
      fromBrowser.destroy();
    },
  };
  fromBrowser.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const message = Buffer.concat([...pieces, chunk.subarray(start, end)]).toString();
      pieces = [];
      pending = 0;
      start = end + 1;
      setImmediate(() => transport.onmessage?.(message));
    }
    if (start === chunk.length) return;
    pieces.push(chunk.subarray(start));
    pending += chunk.length - start;
    if (pending > MESSAGE_MAX_BYTES) fail();
  });
  fromBrowser.once('close', () => transport.onclose?.());
  // A browser that went away is told by its end.
  for (const pipe of [toBrowser, fromBrowser]) pipe.on('error', () => undefined);
  return transport;
}
