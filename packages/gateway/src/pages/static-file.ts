import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ApiError } from '@vedette/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inPieces } from '../http/pieces.ts';

/** A year, the longest that RFC 9111 §5.3 advises; a URL that names its version never means anything else. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** A longer file is sent only compressed: repeated downloads then cost others a fifth of the plain text's time. */
const PLAIN_MAX_BYTES = 2_000_000;
/** Half of what the best quality saves over this one costs it twenty times the CPU. */
const BROTLI_QUALITY = 6;

/** Codings in the order of our preference. */
const CODINGS = ['br', 'gzip'] as const;
type Coding = (typeof CODINGS)[number] | 'identity';

/** One of our files, prepared once: compressed, named by its hash, with octets that all readers share. */
export class StaticFile {
  /** Names this content. */
  readonly version: string;
  readonly #type: string;
  readonly #bodies: Readonly<Record<Coding, Buffer>>;

  private constructor(type: string, bodies: Readonly<Record<Coding, Buffer>>) {
    this.#type = type;
    this.#bodies = bodies;
    this.version = hash('sha256', bodies.identity, 'base64url').slice(0, 16);
  }

  /** A file that was compressed when it was built. */
  static built({ type, ...bodies }: { type: string } & Readonly<Record<Coding, Buffer>>): StaticFile {
    return new StaticFile(type, bodies);
  }

  /** Compresses in the thread pool: requests go on meanwhile. */
  static async of(text: string, type: string): Promise<StaticFile> {
    const identity = Buffer.from(text);
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
      promisify(gzip)(identity),
    ]);
    return new StaticFile(type, { br, gzip: gz, identity });
  }

  /**
   * Answers with it, or with 304 (RFC 9110 §13.1.2). `version` is the one that the URL named, if any: only that one is for ever. Throws `ApiError`
   * not_acceptable.
   */
  send({ headers }: FastifyRequest, reply: FastifyReply, version?: unknown): FastifyReply {
    const coding = this.#codingFor(headers['accept-encoding']);
    const body = this.#bodies[coding];
    const etag = `"${this.version}-${coding}"`;
    reply.headers({
      etag,
      // CORS has its say in `Vary` too.
      vary: [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '),
      'cache-control': version === this.version ? FOR_EVER : 'no-cache',
    });
    if (names(headers['if-none-match'], etag)) return reply.code(304).send();
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.headers({ 'content-type': this.#type, 'content-length': body.length }).send(inPieces(body));
  }

  #codingFor(accepted: string | undefined): Coding {
    const coding = CODINGS.find((name) => takes(accepted ?? '', name));
    if (coding !== undefined) return coding;
    if (this.#bodies.identity.length <= PLAIN_MAX_BYTES) return 'identity';
    // A client that names no coding accepts any (RFC 9110 §12.5.3).
    if (accepted === undefined) return 'gzip';
    throw new ApiError('not_acceptable');
  }
}

/** Makes a file at its first request; a failure is tried again. */
export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Whether a client takes a coding (RFC 9110 §12.5.3); a weight of 0 is a no. */
const takes = (accepted: string, coding: string): boolean =>
  accepted.split(',').some((range) => {
    const [name = '', weight = ''] = range.split(';');
    return name.trim().toLowerCase() === coding && !/^\s*q=0(\.0{0,3})?\s*$/i.test(weight);
  });

/** Weak comparison: a proxy that compresses anew says `W/`. */
const names = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
