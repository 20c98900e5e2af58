const HEADER_OCTETS = 5;
const APPLICATION_DATA = 23;
/** The end of the handshake, what HTTP/2 begins with, and a few frames that keep a connection going. */
const HOUSEKEEPING = 8;

/**
 * Counts what stands for requests in a tunnel that we do not look into: a browser puts each HTTP/2 frame, and each HTTP/1.1 request, into a TLS
 * record of its own (RFC 8446 §5.1), so that there are never more requests than records of application data. In what is not TLS every chunk counts.
 */
export class TlsRecords {
  /** Octets of the current record's content that are still to come. */
  #content = 0;
  /** The start of a header whose end has not come. */
  #header: number[] = [];
  #seen = 0;

  /** How many requests there may have been in this piece of what the client sent. */
  push(chunk: Uint8Array): number {
    let requests = 0;
    for (let at = 0; at < chunk.length;) {
      if (this.#content > 0) {
        const skipped = Math.min(this.#content, chunk.length - at);
        this.#content -= skipped;
        at += skipped;
        continue;
      }
      this.#header.push(chunk[at++]!);
      if (this.#header.length < HEADER_OCTETS) continue;
      const [type, major, , high, low] = this.#header as [number, number, number, number, number];
      this.#header = [];
      this.#content = major === 3 ? high * 256 + low : chunk.length - at;
      if ((type === APPLICATION_DATA || major !== 3) && ++this.#seen > HOUSEKEEPING) requests++;
    }
    return requests;
  }
}
