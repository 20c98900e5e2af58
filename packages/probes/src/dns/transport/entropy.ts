import { randomFillSync } from 'node:crypto';

const POOL_OCTETS = 4096;

/** Cryptographic randomness by the octet, drawn from the system in bulk. */
export class Entropy {
  readonly #pool = Buffer.alloc(POOL_OCTETS);
  #at = POOL_OCTETS;

  u8(): number {
    if (this.#at === POOL_OCTETS) {
      randomFillSync(this.#pool);
      this.#at = 0;
    }
    return this.#pool[this.#at++]!;
  }

  u16(): number {
    return (this.u8() << 8) | this.u8();
  }
}
