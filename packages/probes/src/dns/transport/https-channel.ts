import type { TLSSocket } from 'node:tls';
import { ProbeFailure, unlessAborted } from '@vedette/contract';
import { openHttp2Session } from '../../net/http2-session.ts';

const LIMITS = { headerLines: 64, headerBytes: 16 * 1024 };
const MESSAGE_MAX_OCTETS = 0xffff;
const MEDIA_TYPE = 'application/dns-message';

/** DNS messages as POST requests over one HTTP/2 connection (RFC 8484). */
export class HttpsChannel {
  readonly #session: ReturnType<typeof openHttp2Session>;
  readonly #path: string;
  readonly #userAgent: string;
  #failed: Error | undefined;

  constructor(socket: TLSSocket, { authority, path, userAgent }: { authority: string; path: string; userAgent: string }) {
    this.#path = path;
    this.#userAgent = userAgent;
    this.#session = openHttp2Session(socket, `https://${authority}`, LIMITS);
    this.#session.on('error', (error) => (this.#failed ??= error));
    this.#session.on('close', () => (this.#failed ??= new Error('the connection was closed before the answer')));
  }

  /** Resolves with the response, whose id is the query's. Rejects with `ProbeFailure` http_protocol, or with the signal's reason. */
  ask(query: Buffer, signal: AbortSignal): Promise<Buffer> {
    return unlessAborted(signal, this.#post(query, signal));
  }

  close(): void {
    this.#session.destroy();
  }

  #post(query: Buffer, signal: AbortSignal): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const refuse = (seen: string) => reject(new ProbeFailure('http_protocol', seen));
      if (this.#failed) return refuse(this.#failed.message);
      // RFC 8484 §4.1: an id of 0 lets caches share the answer.
      const body = Buffer.from(query);
      body.writeUInt16BE(0);
      const stream = this.#session.request({
        ':method': 'POST',
        ':path': this.#path,
        'content-type': MEDIA_TYPE,
        accept: MEDIA_TYPE,
        'user-agent': this.#userAgent,
        'content-length': String(body.length),
      });
      const stop = () => stream.destroy();
      signal.addEventListener('abort', stop, { once: true });
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('response', (headers) => {
        const status = headers[':status'] ?? 0;
        if (status !== 200) refuse(`HTTP status ${status}`);
        else if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== MEDIA_TYPE) refuse(`an answer that is not ${MEDIA_TYPE}`);
      });
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= MESSAGE_MAX_OCTETS) return chunks.push(chunk);
        refuse('an answer of more than 65,535 bytes');
        return stream.destroy();
      });
      stream.on('error', (error: NodeJS.ErrnoException) => refuse(error.code ?? error.message));
      stream.on('close', () => {
        signal.removeEventListener('abort', stop);
        refuse('the connection was closed before the answer');
      });
      stream.on('end', () => {
        const answer = Buffer.concat(chunks);
        if (answer.length < 2) return refuse('an empty answer');
        query.copy(answer, 0, 0, 2);
        return resolve(answer);
      });
      stream.end(body);
    });
  }
}
