import type { ParsedHost } from '@vedette/contract';
import type { StartTls } from '@vedette/probes/tcp';

export interface SslQuery {
  requestedHost: string;
  host: ParsedHost;
  port: number;
  /** Name or address that the certificate must cover; a name is sent as SNI. */
  server: ParsedHost;
  starttls: StartTls | undefined;
}
