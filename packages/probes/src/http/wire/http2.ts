import type { TLSSocket } from 'node:tls';
import type { ProbeFailure } from '@vedette/contract';
import { openHttp2Session, reasonPhrase } from '../../net/http2-session.ts';
import {
  type AnswerSink,
  GET,
  HEAD_LIMITS,
  headerText,
  headTooLarge,
  type HttpHead,
  type HttpRequest,
  protocolError,
  requestFields,
  type RequestFields,
} from './message.ts';

/** One request and its answer as the only stream of a connection (RFC 9113). Rejects with `ProbeFailure` http_protocol. */
export function askOverHttp2(
  socket: TLSSocket,
  url: URL,
  sink: AnswerSink,
  userAgent: string,
  further: RequestFields = {},
  { method, body }: HttpRequest = GET,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const session = openHttp2Session(socket, url.origin, { headerLines: HEAD_LIMITS.lines, headerBytes: HEAD_LIMITS.bytes });
    const close = () => {
      session.destroy();
      socket.destroy();
    };
    const done = () => {
      resolve();
      close();
    };
    const failAs = (failure: ProbeFailure) => {
      reject(failure);
      close();
    };
    const fail = (seen: string) => failAs(protocolError(seen));
    const failWith = (error: NodeJS.ErrnoException) => fail(error.code ?? error.message);
    session.on('error', failWith);
    session.once('close', () => fail('the connection was closed'));

    const { host = url.host, ...fields } = requestFields(userAgent, further);
    const stream = session.request(
      {
        ':method': method,
        ':authority': host,
        ':path': `${url.pathname}${url.search}`,
        ...fields,
        ...(body && { 'content-length': String(body.length) }),
      },
      { endStream: body === undefined },
    );
    if (body) stream.end(body);
    let interim = 0;
    let answered = false;
    let complete = false;
    stream.on('error', failWith);
    stream.on('headers', () => {
      sink.firstByte();
      if (++interim > HEAD_LIMITS.interim) fail('too many interim answers');
    });
    stream.once('response', (fields, _flags, rawHeaders) => {
      answered = true;
      sink.firstByte();
      // nghttp2 bounds what is sent; HPACK may unpack it to more (RFC 7541 §7.3).
      if (bytesOf(rawHeaders) > HEAD_LIMITS.bytes) failAs(headTooLarge());
      else {
        const head = headOf(fields[':status'] ?? 0, rawHeaders);
        sink.head(head);
        if (sink.enough?.(head)) done();
      }
    });
    stream.on('data', (chunk: Buffer) => {
      if (!sink.body(chunk)) done();
    });
    stream.once('end', () => {
      complete = answered;
    });
    // A reset stream ends as well; its code tells which it was (RFC 9113 §7).
    stream.once('close', () => (complete && stream.rstCode === 0 ? done() : fail(`the stream was reset (code ${stream.rstCode ?? '?'})`)));
  });
}

const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

function headOf(status: number, raw: readonly string[]): HttpHead {
  const headers: HttpHead['headers'] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    if (!name.startsWith(':')) headers.push([name, headerText(raw[i + 1]!)]);
  }
  return { version: 'HTTP/2', status, statusMessage: reasonPhrase(status), headers };
}
