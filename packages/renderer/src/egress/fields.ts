import type { IncomingMessage } from 'node:http';
import { ProbeFailure } from '@vedette/contract';
import type { PlainTarget } from './destination.ts';

/** Limit on the head of a request, and of an answer. */
export const HEAD_MAX_BYTES = 64 * 1024;
const FIELDS_MAX = 200;

/** Fields of one connection (RFC 9110 §7.6.1), and of proxies: neither is for the next hop. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
]);
const isForProxies = (name: string): boolean => name.startsWith('proxy-');

type Head = Pick<IncomingMessage, 'rawHeaders'>;

/** The values of a field. */
function valuesOf({ rawHeaders }: Head, wanted: string): string[] {
  return rawHeaders.flatMap((value, i) => (i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === wanted ? [value] : []));
}

/** Names and values in turn, as they came, without those that are for this connection alone. */
function endToEnd(head: Head): string[] {
  const { rawHeaders } = head;
  if (rawHeaders.length / 2 > FIELDS_MAX) throw new ProbeFailure('too_large', `more than ${FIELDS_MAX} header lines`);
  const listed = new Set(
    valuesOf(head, 'connection').flatMap((value) =>
      value
        .toLowerCase()
        .split(',')
        .map((name) => name.trim()),
    ),
  );
  const fields: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (!HOP_BY_HOP.has(name) && !isForProxies(name) && !listed.has(name)) fields.push(rawHeaders[i]!, rawHeaders[i + 1]!);
  }
  return fields;
}

/**
 * The forwarded fields of a request. Throws `ProbeFailure` http_protocol where two readings are possible: of whom it is for, or of where
 * its body ends.
 */
export function requestFields(request: Head & Pick<IncomingMessage, 'method'>, target: PlainTarget): string[] {
  const hosts = valuesOf(request, 'host');
  if (hosts.length !== 1 || withoutPort(hosts[0]!) !== withoutPort(target.authority))
    throw new ProbeFailure('http_protocol', 'the Host field is another than the one of the URL');
  const lengths = valuesOf(request, 'content-length');
  const codings = valuesOf(request, 'transfer-encoding');
  const hasBody = codings.length > 0 || lengths.some((length) => length !== '0');
  if (lengths.length + codings.length > 1 || (codings.length === 1 && codings[0]!.toLowerCase() !== 'chunked'))
    throw new ProbeFailure('http_protocol', 'more than one way to tell the length of a body');
  if (hasBody && (request.method === 'GET' || request.method === 'HEAD'))
    throw new ProbeFailure('http_protocol', 'a body where none is expected');
  const framing =
    codings.length === 1
      ? ['Transfer-Encoding', 'chunked']
      : lengths.length === 1 || !TAKES_BODY.has(request.method ?? '')
        ? []
        : ['Content-Length', '0'];
  return ['Host', target.authority, ...endToEnd(request), ...framing, 'Connection', 'close'];
}
const TAKES_BODY = new Set(['POST', 'PUT', 'PATCH']);
const withoutPort = (authority: string): string => authority.toLowerCase().replace(/:80$/, '');

/** The forwarded fields of an answer. Throws `ProbeFailure` http_protocol for one that only a proxy gives: the browser would take it for ours. */
export function answerFields(answer: Head & Pick<IncomingMessage, 'statusCode'>): string[] {
  if (answer.statusCode === 407) throw new ProbeFailure('http_protocol', 'answers as only a proxy does');
  return endToEnd(answer);
}
