import type { Socket } from 'node:net';
import { ProbeFailure } from '@vedette/contract';
import { Http1Reader } from './http1-reader.ts';
import { type AnswerSink, GET, type HttpRequest, protocolError, requestFields, type RequestFields } from './message.ts';

/** One request and its answer over a socket that is closed afterwards. Rejects with `ProbeFailure` http_protocol or too_large. */
export function askOverHttp1(
  socket: Socket,
  url: URL,
  sink: AnswerSink,
  userAgent: string,
  further?: RequestFields,
  { method, body }: HttpRequest = GET,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = new Http1Reader(sink, { bodiless: method === 'HEAD' });
    const settle = (step: () => boolean) => {
      try {
        if (!step()) return;
        resolve();
      } catch (error) {
        reject(error instanceof ProbeFailure ? error : new Error('the HTTP/1.1 reader failed', { cause: error }));
      }
      socket.off('close', onClose);
      socket.destroy();
    };
    const onClose = () => reject(protocolError('the connection was closed'));
    socket.on('data', (chunk: Buffer) => {
      sink.firstByte();
      settle(() => reader.push(chunk));
    });
    socket.once('end', () =>
      settle(() => {
        reader.end();
        return true;
      }),
    );
    socket.once('error', (error: NodeJS.ErrnoException) => reject(protocolError(error.code ?? error.message)));
    socket.once('close', onClose);
    const fields = Object.entries({
      host: url.host,
      ...requestFields(userAgent, further),
      ...(body && { 'content-length': String(body.length) }),
      connection: 'close',
    });
    socket.write(
      `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    if (body) socket.write(body);
  });
}
