import { formatIp } from '@vedette/contract';
import { MalformedMessage } from './name.ts';
import { type MessageName, NameReader } from './name-reader.ts';

/** Reads fields from octets front to back, and throws `MalformedMessage` instead of reading past the end. */
export class Reader {
  readonly octets: Buffer;
  at: number;
  readonly #names: NameReader;

  /** `names` reads those of the message that `octets` are the beginning of. */
  constructor(octets: Buffer, at = 0, names = new NameReader(octets)) {
    this.octets = octets;
    this.at = at;
    this.#names = names;
  }

  get left(): number {
    return this.octets.length - this.at;
  }

  /** Steps over `count` octets and returns where they begin. */
  #step(count: number): number {
    const from = this.at;
    if (from + count > this.octets.length) throw new MalformedMessage('a field runs past the end');
    this.at = from + count;
    return from;
  }

  u8(): number {
    return this.octets[this.#step(1)]!;
  }

  u16(): number {
    const from = this.#step(2);
    return (this.octets[from]! << 8) | this.octets[from + 1]!;
  }

  u32(): number {
    return this.octets.readUInt32BE(this.#step(4));
  }

  take(count: number): Buffer {
    const from = this.#step(count);
    return this.octets.subarray(from, this.at);
  }

  rest(): Buffer {
    return this.take(this.left);
  }

  /** A length octet and that many octets, RFC 1035 §3.3. */
  characterString(): Buffer {
    return this.take(this.u8());
  }

  name(): string {
    return this.messageName().text;
  }

  messageName(): MessageName {
    const name = this.#names.read(this.at);
    this.#step(name.end - this.at);
    return name;
  }

  ipv4(): string {
    const from = this.#step(4);
    const { octets } = this;
    return `${octets[from]}.${octets[from + 1]}.${octets[from + 2]}.${octets[from + 3]}`;
  }

  ipv6(): string {
    return formatIp({ version: 6, value: BigInt(`0x${this.take(16).toString('hex')}`) });
  }
}
