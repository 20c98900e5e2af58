import type { Socket } from 'node:net';
import { parseHost, ProbeFailure, shown, within, type ProbePorts } from '@vedette/contract';
import { familiesOf, judgeHost } from '../host/judge-host.ts';
import { abortFailure, allowedAddress } from '../net/dialler.ts';

/** Answers have some kilobytes, most of them terms of use. */
const MAX_BYTES = 256 * 1024;
const LINE_MAX_CHARS = 2_000;

export interface WhoisQuestion {
  server: { host: string; port: number };
  /** One line, as the server wants it. */
  query: string;
  timeout_ms: number;
}

export interface WhoisPorts extends Pick<ProbePorts, 'dialler' | 'clock'> {
  resolver: Pick<ProbePorts['resolver'], 'addresses'>;
  signal: AbortSignal;
  /** Names that are not contacted, nor what is an alias of one. */
  isDenied(host: string): boolean;
}

/**
 * One WHOIS query (RFC 3912): what the server sent until it closed, as lines of text without control characters, and nothing of its
 * meaning. Rejects with `ProbeFailure`: dns_…, connect_…, blocked_…, too_large, http_timeout where the answer had no end in time.
 */
export function askWhois({ server, query, timeout_ms }: WhoisQuestion, ports: WhoisPorts): Promise<string> {
  const target = parseHost(server.host);
  if (!target) throw new ProbeFailure('blocked_policy', `not a host: ${server.host}`);
  let connected = false;
  const outOfTime = () => new ProbeFailure(connected ? 'http_timeout' : 'connect_timeout', `no end after ${Math.round(timeout_ms)} ms`);
  return within(ports.clock, timeout_ms, ports.signal, outOfTime, async (signal) => {
    const { resolver, dialler, isDenied } = ports;
    const refuseDenied = (name: string): void => {
      if (isDenied(name)) throw new ProbeFailure('blocked_policy', name);
    };
    try {
      refuseDenied(target.host);
      const verdict = await judgeHost(target, { resolver, dialler }, { families: familiesOf(target), signal, onAlias: refuseDenied });
      const address = allowedAddress(dialler.policy, verdict, target.host);
      const socket = await dialler.tcp({ address, port: server.port, service: 'whois', signal });
      connected = true;
      const bytes = await answerTo(socket, query);
      // An aborted socket closes as one does whose server has said all.
      signal.throwIfAborted();
      return textOf(bytes);
    } catch (error) {
      throw signal.aborted ? abortFailure(signal) : error;
    }
  });
}

/** The socket closes with the signal it was opened under. */
function answerTo(socket: Socket, query: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) return;
      socket.destroy();
      reject(new ProbeFailure('too_large', `more than ${MAX_BYTES} bytes`));
    });
    // Many servers reset the connection once they have answered.
    socket.once('error', (cause) => {
      if (bytes === 0) reject(new ProbeFailure('connect_refused', 'the connection broke', { cause }));
    });
    socket.once('close', () => resolve(Buffer.concat(chunks)));
    // Our side stays open: some servers take a half-closed connection for one that was given up.
    socket.write(`${query}\r\n`);
  });
}

/** UTF-8 where it is that, else one byte a character: WHOIS has no way to say which (RFC 3912 §4). */
function textOf(bytes: Buffer): string {
  const utf8 = bytes.toString('utf8');
  const text = utf8.includes('\ufffd') ? new TextDecoder('windows-1252').decode(bytes) : utf8;
  return text
    .replace(ESCAPES, '')
    .split(/\r\n|\n|\r/)
    .map((line) => shown(line, LINE_MAX_CHARS).trimEnd())
    .join('\n');
}

/** Control sequences that a terminal would obey (ECMA-48 §5.4). */
const ESCAPES = /\u001b\[[0-?]*[ -/]*[@-~]/g; // oxlint-disable-line no-control-regex -- removing them is the point
