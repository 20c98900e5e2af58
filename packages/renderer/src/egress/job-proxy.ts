import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Failure, failure, parseHost, ProbeFailure } from '@vedette/contract';
import type { EgressJob, EgressRecord, SpareEgress } from '../jobs/render.ts';
import { JobBudget, type JobLimits } from './budget.ts';
import { type Destination, parseAuthority, parsePlainTarget } from './destination.ts';
import { HEAD_MAX_BYTES } from './fields.ts';
import { forward } from './forward.ts';
import { randomInputHost, serveInput } from './input.ts';
import { joinSockets } from './tunnel.ts';
import type { WayOut } from './way-out.ts';

export interface JobProxyOptions {
  limits: JobLimits;
  siteOf(host: string): string;
  wayOut: WayOut;
}

/** Head of a browser's request; it is on this machine. */
const HEAD_MS = 10_000;
/**
 * The answer to a plain request that is not sent: one that no browser accepts (RFC 9110 §8.6). A status of ours would look like the
 * server's own, and a closed connection would be tried again.
 */
const REFUSED = 'HTTP/1.1 502 Refused\r\nContent-Length: 0\r\nContent-Length: 1\r\nConnection: close\r\n\r\n';
const NO_TUNNEL = 'HTTP/1.1 502 Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
const TUNNEL = 'HTTP/1.1 200 Connected\r\n\r\n';

/** The one way out of one job's browser context: a proxy on loopback that lets nothing through before its job begins, nor after it ended. */
export class JobProxy implements SpareEgress {
  readonly records: EgressRecord[] = [];
  readonly dialled: { host: string; address: string }[] = [];
  readonly #options: JobProxyOptions;
  readonly #server: Server;
  readonly #budget: JobBudget;
  readonly #sockets = new Set<Socket>();
  readonly #ended = new AbortController();
  readonly #inputHost = randomInputHost();
  #job: EgressJob | undefined;
  #attempts = 0;

  constructor(options: JobProxyOptions) {
    this.#options = options;
    this.#budget = new JobBudget(options.limits, options.siteOf);
    this.#server = createServer({ maxHeaderSize: HEAD_MAX_BYTES, headersTimeout: HEAD_MS, insecureHTTPParser: false });
    this.#server.maxHeadersCount = 0;
    this.#server.maxConnections = options.limits.connections * 2;
    this.#server.on('connection', (socket) => this.#keep(socket));
    this.#server.on('request', (request, response) => void this.#plain(request, response));
    this.#server.on('connect', (request, socket, head) => void this.#connect(request, socket as Socket, head));
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
  }

  get port(): number {
    const address = this.#server.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  /** How many requests came, those included that are not recorded. */
  get attempts(): number {
    return this.#attempts;
  }

  get inputUrl(): string | undefined {
    return this.#job?.input && `http://${this.#inputHost}/`;
  }

  /** The context has its job: from now on requests go out. */
  begin(job: EgressJob): void {
    this.#job = job;
    job.signal.addEventListener('abort', () => this.#end(), { once: true });
    if (job.signal.aborted) this.#end();
  }

  isDocument(host: string): void {
    if (host !== '') this.#budget.own(host);
  }

  admits(url: string): boolean {
    return !URL.canParse(url) || url === this.inputUrl || this.#budget.admits(parseHost(new URL(url).hostname)?.host ?? '');
  }

  get refusedRequests(): number {
    return this.#budget.refused;
  }

  addressOf(host: string, port: number): string {
    return this.#recordsOf(host, port).findLast(({ address }) => address !== '')?.address ?? '';
  }

  failureOf(host: string, port: number): Failure | undefined {
    const { attempts } = this.#options.limits;
    if (this.#attempts > attempts) return failure('too_large', `a page may try ${attempts} requests`);
    const last = this.#recordsOf(host, port).at(-1);
    return last && last.refused !== '' ? { reason: last.refused, error: last.error } : undefined;
  }

  /** The host may be written as URLs have it, an IPv6 address in brackets. */
  #recordsOf(host: string, port: number): EgressRecord[] {
    const plain = parseHost(host)?.host;
    return this.records.filter((record) => record.host === plain && record.port === port);
  }

  /** Ends the job's connections; resolves when the port is closed. */
  close(): Promise<void> {
    this.#end();
    return new Promise((resolve) => (this.#server.listening ? this.#server.close(() => resolve()) : resolve()));
  }

  #end(): void {
    this.#ended.abort(new ProbeFailure('cancelled'));
    for (const socket of this.#sockets) socket.destroy();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}); // whoever reads it hears that it closed
    socket.once('close', () => this.#sockets.delete(socket));
  }

  async #plain(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = parsePlainTarget(request.url ?? '');
    if (this.#job?.input && target?.host === this.#inputHost && target.port === 80) return serveInput(this.#job.input, request, response);
    if (!target || !this.#counted()) return void request.socket.destroy();
    const record = this.#record(request.url!.slice(0, 2_048), target);
    await this.#attempt(
      record,
      async () => {
        using way = await this.#open(target, record, 'request');
        await forward({ request, response, target, socket: way.socket, count: (sent, received) => this.#count(record, sent, received) });
      },
      () => (response.headersSent ? request.socket.destroy() : request.socket.end(REFUSED)),
    );
  }

  async #connect(request: IncomingMessage, browser: Socket, head: Buffer): Promise<void> {
    const target = parseAuthority(request.url ?? '');
    // A browser says nothing before it has its tunnel.
    if (!target || head.length > 0 || !this.#counted()) return void browser.destroy();
    const record = this.#record(request.url!, target);
    await this.#attempt(
      record,
      async () => {
        using way = await this.#open(target, record, 'tunnel');
        if (browser.destroyed) return;
        browser.write(TUNNEL);
        await new Promise<void>((resolve, reject) => {
          way.socket.once('close', resolve);
          const count = (sent: number, received: number, requests: number) => {
            this.#count(record, sent, received);
            this.#budget.records(target.host, requests);
          };
          joinSockets({ browser, target: way.socket, count, onRefused: reject });
        });
      },
      () => browser.end(NO_TUNNEL),
    );
  }

  #counted(): boolean {
    this.#attempts++;
    // A closed port is a quicker answer than a connection that is, and is not asked twice.
    if (this.#attempts > this.#options.limits.attempts) this.#server.close();
    return this.#attempts <= this.#options.limits.attempts && this.#job !== undefined && !this.#ended.signal.aborted;
  }

  #record(target: string, { host, port }: Destination): EgressRecord {
    // The first request of a page is for itself.
    if (this.records.length === 0 && !this.#job?.input) this.isDocument(host);
    const record: EgressRecord = { target, host, port, address: '', refused: '', error: '', sent_bytes: 0, received_bytes: 0 };
    this.records.push(record);
    return record;
  }

  #count(record: EgressRecord, sent: number, received: number): void {
    record.sent_bytes += sent;
    record.received_bytes += received;
    this.#budget.bytes(sent, received);
  }

  /** Does it, or says in the record why not. */
  async #attempt(record: EgressRecord, work: () => Promise<void>, refuse: () => void): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { code, seen } = error instanceof ProbeFailure ? error : new ProbeFailure('internal', '', { cause: error });
      const { reason, error: sentence } = failure(code, seen);
      record.refused = reason;
      record.error = sentence;
      refuse();
    }
  }

  async #open(target: Destination, record: EgressRecord, kind: 'request' | 'tunnel'): Promise<{ socket: Socket } & Disposable> {
    this.#budget.destination(target.host, kind);
    const release = this.#budget.connection();
    try {
      const { socket, address } = await this.#options.wayOut.connect(target, this.#ended.signal, (dialled) => {
        this.#budget.port(target.host, dialled, target.port);
        record.address ||= dialled;
        this.dialled.push({ host: target.host, address: dialled });
      });
      record.address = address;
      this.#keep(socket);
      if (this.#ended.signal.aborted) socket.destroy();
      return {
        socket,
        [Symbol.dispose]() {
          socket.destroy();
          release();
        },
      };
    } catch (error) {
      release();
      throw error;
    }
  }
}
