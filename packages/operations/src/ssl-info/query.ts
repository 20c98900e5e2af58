import { type ParsedHost } from '@vedette/contract';
import type { StartTls } from '@vedette/probes/tcp';
import { type Static, Type } from 'typebox';
import { Host, parseTarget } from '../kit/index.ts';
import { refuseTls } from '../tcp-test/index.ts';
import { serviceOf, StartTlsAsked, TlsPort } from './ports.ts';

export interface SslQuery {
  requestedHost: string;
  host: ParsedHost;
  port: number;
  /** Name or address that the certificate must cover; a name is sent as SNI. */
  server: ParsedHost;
  starttls: StartTls | undefined;
}

const SslRequest = Type.Object(
  {
    host: Host(),
    port: TlsPort(443),
    sni: Type.Optional(Host({ description: 'Server name to send in place of the host; the certificate must cover it' })),
    starttls: StartTlsAsked,
  },
  { additionalProperties: false },
);

/** The request is the same whether the service or its locations look at the server. */
export const SSL_HEAD = {
  name: 'ssl-info',
  subject: 'web',
  summary: 'Inspect the TLS certificate and chain of a server',
  request: SslRequest,
  targets: { host: 'host' },
  examples: [{ host: 'example.org' }, { host: 'example.org', starttls: 'smtp' }],
  further: ({ host, server }: SslQuery): Readonly<Record<string, ParsedHost>> => (server.host === host.host ? {} : { sni: server }),
} as const;

export function readSslQuery({ host, port, sni, starttls }: Static<typeof SslRequest>, { host: target }: { host: ParsedHost }): SslQuery {
  const service = serviceOf(port, starttls);
  refuseTls(service.port, starttls === undefined ? 'port' : 'starttls');
  return { requestedHost: host, host: target, ...service, server: sni === undefined ? target : parseTarget('name', sni, 'sni') };
}
