import { Enum } from '@vedette/contract';
import { STARTTLS, type StartTls } from '@vedette/probes/tcp';
import { Type } from 'typebox';

export const STARTTLS_ASKED = ['none', ...STARTTLS] as const;

/** The port of a request for TLS, with an example. */
export const TlsPort = (example: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'TCP port; the usual one of `starttls` by default, otherwise 443',
      examples: [example],
    }),
  );

/** The protocol before TLS of a request for it. */
export const StartTlsAsked = Type.Optional(
  Enum(STARTTLS_ASKED, {
    description: 'Protocol in which the server is asked to switch to TLS; by default the one that is usual for the port',
    examples: ['smtp'],
  }),
);

/** Ports whose servers are asked for TLS in their own protocol; on all others TLS begins at once. */
const STARTTLS_PORTS: Readonly<Record<number, StartTls>> = {
  21: 'ftp',
  25: 'smtp',
  110: 'pop3',
  143: 'imap',
  389: 'ldap',
  587: 'smtp',
  2525: 'smtp',
  3306: 'mysql',
  5222: 'xmpp',
  5432: 'postgres',
};
const PORTS: Readonly<Record<StartTls, number>> = {
  smtp: 25,
  imap: 143,
  pop3: 110,
  ftp: 21,
  ldap: 389,
  xmpp: 5222,
  postgres: 5432,
  mysql: 3306,
};
const HTTPS = 443;

/** Port and protocol of a request: each decides the other where that is not named. */
export function serviceOf(
  wanted: number | undefined,
  starttls: (typeof STARTTLS_ASKED)[number] | undefined,
): { port: number; starttls: StartTls | undefined } {
  const protocol = starttls === 'none' ? undefined : starttls;
  const port = wanted ?? (protocol === undefined ? HTTPS : PORTS[protocol]);
  return { port, starttls: starttls === undefined ? STARTTLS_PORTS[port] : protocol };
}
