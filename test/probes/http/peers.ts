import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { Client } from 'undici';
import { type HttpHead, requestFields } from '@vedette/probes/http';
import { type AnswerSink, HEAD_LIMITS, headerText } from '../../../packages/probes/src/http/wire/message.ts';

/** One GET over a socket that is closed afterwards, as `askOverHttp1` does it. */
export type Get = (socket: Socket, url: URL, sink: AnswerSink, userAgent: string) => Promise<void>;

/** One client serves one answer at a time; made anew for each it would cost more CPU. */
interface IdleClient {
  client: Client;
  /** What its next connection is. */
  socket: Socket;
}
const idle: IdleClient[] = [];

function clientFor(socket: Socket): IdleClient {
  const kept = idle.pop();
  if (kept) return Object.assign(kept, { socket });
  const fresh: IdleClient = {
    socket,
    client: new Client('http://dialled-by-us', {
      connect: (_options, connected) => queueMicrotask(() => connected(null, fresh.socket)),
      allowH2: false,
      pipelining: 0, // sends `connection: close`
      maxHeaderSize: HEAD_LIMITS.bytes,
      // The probe's deadline closes the socket.
      headersTimeout: 0,
      bodyTimeout: 0,
    }),
  };
  return fresh;
}

const fields = Object.entries(requestFields('test')).flat();

/** By undici, in the cheapest way that we found. */
export const getOverUndici: Get = (socket, url, sink) =>
  new Promise((resolve, reject) => {
    const slot = clientFor(socket);
    let interim = 0;
    slot.client.dispatch(
      { path: `${url.pathname}${url.search}`, method: 'GET', headers: ['host', url.host, ...fields] },
      {
        onRequestStart() {},
        onResponseStarted: () => sink.firstByte(),
        onResponseStart(controller, status, _fields, statusMessage = '') {
          const raw = controller.rawHeaders as Buffer[];
          if (raw.length > 2 * HEAD_LIMITS.lines) return controller.abort(new Error('too many header lines'));
          if (status < 200) {
            if (++interim > HEAD_LIMITS.interim) controller.abort(new Error('too many interim answers'));
            return;
          }
          // The version is not handed over.
          const headers = pairs(raw.map((part) => part.toString('latin1')));
          sink.head({ version: '', status, statusMessage: headerText(statusMessage), headers });
        },
        onResponseData(controller, chunk) {
          if (sink.body(chunk)) return;
          resolve();
          controller.abort(new Error('enough'));
        },
        onResponseEnd() {
          socket.once('close', () => idle.push(slot));
          resolve();
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });

/** By node:http, whose parser is the same llhttp. */
export const getOverNodeHttp: Get = (socket, url, sink) => getOverNode(socket, url, sink, false);

/** The same without its checks: bare LF, obs-fold and more are let through. */
export const getOverLenientNodeHttp: Get = (socket, url, sink) => getOverNode(socket, url, sink, true);

function getOverNode(socket: Socket, url: URL, sink: AnswerSink, insecureHTTPParser: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    const fail = (error: Error) => {
      // Octets behind a whole answer are an error to it, and told before the answer's end.
      if (answer?.complete) resolve();
      else reject(error);
      socket.destroy();
    };
    socket.on('data', () => sink.firstByte());
    let interim = 0;
    const outgoing = request({
      createConnection: () => socket,
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, ...requestFields('test'), connection: 'close' },
      maxHeaderSize: HEAD_LIMITS.bytes,
      insecureHTTPParser,
    });
    outgoing.on('information', () => {
      if (++interim > HEAD_LIMITS.interim) fail(new Error('too many interim answers'));
    });
    outgoing.on('upgrade', () => fail(new Error('switched')));
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => {
      answer = incoming;
      if (incoming.rawHeaders.length > 2 * HEAD_LIMITS.lines) return fail(new Error('too many header lines'));
      sink.head({
        version: `HTTP/${incoming.httpVersion}`,
        status: incoming.statusCode ?? 0,
        statusMessage: headerText(incoming.statusMessage ?? ''),
        headers: pairs(incoming.rawHeaders),
      });
      incoming.on('error', fail);
      incoming.on('data', (chunk: Buffer) => {
        if (sink.body(chunk)) return;
        resolve();
        socket.destroy();
      });
      incoming.on('end', () => {
        resolve();
        socket.destroy();
      });
    });
    outgoing.end();
  });
}

function pairs(raw: readonly string[]): HttpHead['headers'] {
  const headers: HttpHead['headers'] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i]!.toLowerCase(), headerText(raw[i + 1]!)]);
  return headers;
}
