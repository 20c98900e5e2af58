import type { Clock, Failure, LoadedPage, PageLoad, Reason, RenderJob, RenderKind, RenderOutput, RenderResult } from '@vedette/contract';
import type { BrowserContext, Page } from 'puppeteer-core';
import type { AdFilter } from '../page/ads/engine.ts';

export type { RenderOutput };

/** The options of a page of which nothing is taken away. */
export const UNCHANGED_PAGE = {
  disable_js: false,
  disable_popups: false,
  disable_images: false,
  disable_ads: false,
  disable_fonts: false,
  dark_mode: false,
  emulate_media: 'screen',
  delay_ms: 0,
} as const satisfies Partial<PageLoad>;

/** One request as it left this machine for a job, or was kept from leaving. Bytes are those of the wire, TLS included. */
export interface EgressRecord {
  /** `host:port` of a tunnel, or the URL of a plain request. */
  target: string;
  host: string;
  port: number;
  /** The address that accepted the connection, else the first that was dialled; empty where none was. */
  address: string;
  /** Why nothing left, or nothing came; empty where it did. */
  refused: Reason | '';
  /** The sentence to it. */
  error: string;
  sent_bytes: number;
  received_bytes: number;
}

/** The one way out of a job's browser context. */
export interface JobEgress {
  readonly records: readonly EgressRecord[];
  /** Every address that was dialled, whether or not it accepted. */
  readonly dialled: readonly { host: string; address: string }[];
  /** Address that a host and port was last reached at for this job; empty where it was not. */
  addressOf(host: string, port: number): string;
  /** The failure of the last request to a host and port; undefined when it succeeded, or without a request. */
  failureOf(host: string, port: number): Failure | undefined;
  /**
   * The page's own document comes from this host: its site is no longer one of strangers, who get fewer requests. Holds for the first few sites,
   * since a page can lead anywhere.
   */
  isDocument(host: string): void;
  /** Whether the page may send a request to this URL, besides all that it has sent; counted in either case. */
  admits(url: string): boolean;
  /** How many it was not to send. */
  readonly refusedRequests: number;
  /** The origin under which the job's input is served to its page; undefined for a job without. */
  readonly inputUrl: string | undefined;
}

/** A way out that is opened before its job is known: nothing passes it until `begin`. */
export interface SpareEgress extends JobEgress {
  /** The port of a proxy on 127.0.0.1 that is this job's alone. */
  readonly port: number;
  begin(job: EgressJob): void;
  /** Ends every connection of the job; resolves when none is left. */
  close(): Promise<void>;
}

export interface EgressJob {
  /** HTML that is served to the page under `inputUrl`. */
  input?: Uint8Array | undefined;
  signal: AbortSignal;
}

/** Where the ways out of all jobs come from. */
export interface Egress {
  open(): Promise<SpareEgress>;
  close(): Promise<void>;
}

export interface RenderTools {
  /** It is new, and used for this job alone. Its only way out is `egress`. */
  context: BrowserContext;
  /** Blank, of the context. */
  page: Page;
  egress: JobEgress;
  clock: Clock;
  /** Our identity, at the end of browsers' User-Agents. */
  userAgent: string;
  /** The current ad filter for jobs that exclude ads. */
  adFilter(): AdFilter;
  /** Aborts when no caller waits for the job any more; the context is then closed. */
  signal: AbortSignal;
  /** The rest of the deadline at its start. End with what there is a little before. */
  budget_ms: number;
}

/** One kind of job. Faults of the page are in its result; it throws when we or our browser failed. */
export interface Render<K extends RenderKind> {
  kind: K;
  /** The result for a page that could not be shown. */
  nothing(page: LoadedPage): RenderResult<K>;
  run(job: RenderJob<K>, tools: RenderTools): Promise<RenderOutput<K>>;
}

export const defineRender = <K extends RenderKind>(render: Render<K>): Render<K> => render;
