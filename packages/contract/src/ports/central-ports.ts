import type { TrustAnchor } from '../net/dns.ts';
import type { DataPorts } from './data-ports.ts';
import type { Parsers } from './message.ts';
import type { Clock, Dialler, Http3Client, Resolver } from './ports.ts';
import type { Renderers } from './render.ts';

/** What the gateway opens once, for all central work. */
export interface CentralPorts extends DataPorts {
  resolver: Resolver;
  dialler: Dialler;
  http3: Http3Client;
  clock: Clock;
  /** Roots trusted beside Mozilla's, PEM. */
  ca: readonly string[];
  /** Who we say we are over HTTP. */
  userAgent: string;
  /** DNSSEC anchors of the root: VEDETTE_TRUST_ANCHOR_FILE, or IANA's. */
  trustAnchors: readonly TrustAnchor[];
  renderers: Renderers;
  parsers: Parsers;
}
