import type { Clock, Dialler, Endpoint, ExitEndpoint, Rendered, RenderJob, RenderKind, Resolver, TrustAnchor } from '@vedette/contract';
import type { DataPorts } from '@vedette/intel/ports';
import type { Parsers } from '@vedette/message/report';
import type { IssuerAnswers } from './issuer-answers.ts';
import type { Http3Client } from '@vedette/probes/net';

export interface RenderOptions {
  /** HTML to render, for a job without URL. */
  input?: Uint8Array;
  signal: AbortSignal;
}

/** Browsers that render pages for this gateway, wherever they run. */
export interface Renderers {
  /**
   * Renders once a browser has room. Faults of the page's own servers are in the result. Rejects with `ApiError`: no_renderer, overloaded,
   * target_limited, upstream_failed (our own network or browser failed), deadline; or with the signal's reason.
   */
  render<K extends RenderKind>(kind: K, job: RenderJob<K>, options: RenderOptions): Promise<Rendered<K>>;
}

/** The ports that the gateway opens once, for all central work. */
export interface CentralPorts extends DataPorts {
  resolver: Resolver;
  dialler: Dialler;
  http3: Http3Client;
  clock: Clock;
  /** Roots trusted beside Mozilla's, PEM. */
  ca: readonly string[];
  /** What issuers have said about their certificates. */
  issuers: IssuerAnswers;
  /** Our identity over HTTP. */
  userAgent: string;
  /** The operator's SOCKS5 port of Tor, and servers that prove that connections through it work; undefined without one. */
  tor: { socks: ExitEndpoint; witnesses: readonly Endpoint[] } | undefined;
  /** DNSSEC anchors of the root: VEDETTE_TRUST_ANCHOR_FILE, or IANA's. */
  trustAnchors: readonly TrustAnchor[];
  renderers: Renderers;
  parsers: Parsers;
}
