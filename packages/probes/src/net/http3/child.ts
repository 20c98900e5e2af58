/**
 * The process in which QUIC is spoken. Its library is young native code that parses hostile input: a crash ends this process alone. It
 * knows no address but those of relays on the loopback, and ends with its parent.
 */
import type { Http3ClientSession, IncomingHeaders } from '@currentspace/http3';
import type { QuicJob, QuicReply } from './process.ts';

/** Flow control: the bytes that a server may send of an unread body. */
const WINDOW_BYTES = 64 * 1024;
/** IPv6 carries this much everywhere, and Chromium asks for as much. */
const DATAGRAM_BYTES = 1_350;
/** Interim answers (RFC 9114 §4.1) before the one that counts. */
const FINAL_STATUS = 200;

const tell = (reply: QuicReply): void => void process.send!(reply);
process.once('disconnect', () => process.exit());

let roots = '';
const { connect } = await import('@currentspace/http3');
process.on('message', (message: QuicJob | { roots: string }) => {
  if ('roots' in message) {
    roots = message.roots;
    tell({ kind: 'ready' });
  } else get(message);
});

function get({ job, port, host, verified, fields, handshake_ms, answer_ms }: QuicJob): void {
  const started = performance.now();
  const session = connect(
    { address: '127.0.0.1', port },
    {
      runtimeMode: 'portable',
      fallbackPolicy: 'error',
      servername: host,
      ca: roots,
      rejectUnauthorized: verified,
      connectTimeoutMs: 0, // its time is kept below
      maxIdleTimeoutMs: answer_ms,
      maxUdpPayloadSize: DATAGRAM_BYTES,
      initialMaxData: WINDOW_BYTES,
      initialMaxStreamDataBidiLocal: WINDOW_BYTES,
      metricsIntervalMs: 0,
    },
  );
  let connected = false;
  let ended = false;
  const end = (reply: QuicReply): void => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    tell(reply);
    session.close().catch(() => {});
  };
  const fail = (code: number, text: string): void => end({ kind: 'failed', job, connected, code, text });
  let timer = setTimeout(() => fail(0, ''), handshake_ms);
  session.on('error', ({ message, quicCode = 0 }: Error & { quicCode?: number }) => fail(quicCode, message));
  session.on('close', ({ errorCode, reason }) => fail(errorCode, reason));
  session.on('connect', () => {
    connected = true;
    tell({ kind: 'connected', job });
    clearTimeout(timer);
    timer = setTimeout(() => fail(0, ''), answer_ms - (performance.now() - started));
    try {
      request(session, fields, (headers) => end({ kind: 'head', job, headers }), fail);
    } catch (error) {
      fail(0, String(error));
    }
  });
  // Events report the same; the promise has no other reader.
  session.ready().catch(() => {});
}

function request(
  session: Http3ClientSession,
  fields: IncomingHeaders,
  onHead: (headers: IncomingHeaders) => void,
  fail: (code: number, text: string) => void,
): void {
  const stream = session.request(fields, { endStream: true });
  const onHeaders = (headers: IncomingHeaders): void => {
    if (Number(headers[':status']) >= FINAL_STATUS) onHead(headers);
  };
  stream.on('response', onHeaders);
  // The library calls all later heads trailers, even the answer after a 103.
  stream.on('trailers', onHeaders);
  stream.on('data', () => {});
  stream.on('error', (error: Error & { h3Code?: number }) => fail(error.h3Code ?? 0, error.message));
  stream.on('end', () => fail(0, 'the stream ended before its head'));
}
