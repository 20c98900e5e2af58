import { isUpper, MalformedMessage, MAX_LABEL_OCTETS, MAX_NAME_OCTETS, MAX_TEXT_CHARS } from './name.ts';

const POINTER = 0xc0; // RFC 1035 §4.1.4

/** A name that stands in a message. */
export interface MessageName {
  /** The name in lower case without the trailing dot; the root is `.`. */
  text: string;
  /** The name without compression, in the case received. */
  wire: Buffer;
  /** Where the name's octets end at this point of the message; a pointer is two octets. */
  end: number;
}

/** The labels that stand at `start`, up to the root label or the pointer at `stop`. */
interface Labels {
  start: number;
  stop: number;
  /** Where the pointer leads. */
  target: number | undefined;
}

/** Reads the names of one message, each once: in 64 KiB thousands of pointers may lead to one long name. */
export class NameReader {
  readonly #message: Buffer;
  readonly #known = new Map<number, MessageName>();

  constructor(message: Buffer) {
    this.#message = message;
  }

  /** The name at `offset`, pointers followed. Throws `MalformedMessage`. */
  read(offset: number): MessageName {
    const chain: Labels[] = [];
    let at: number | undefined = offset;
    // Not by recursion: pointers to pointers may be thousands in a row.
    while (at !== undefined && !this.#known.has(at)) {
      const labels = this.#labels(at);
      chain.push(labels);
      at = labels.target;
    }
    let name = at === undefined ? undefined : this.#known.get(at);
    for (const labels of chain.reverse()) {
      name = this.#join(labels, name);
      this.#known.set(labels.start, name);
    }
    return name!;
  }

  /** Every pointer must lead back before the labels that it ends, so no name can loop. */
  #labels(start: number): Labels {
    const message = this.#message;
    for (let at = start; ;) {
      const length = message[at];
      if (length === undefined) throw new MalformedMessage('a name runs past the end');
      if (length === 0) return { start, stop: at, target: undefined };
      if (length >= POINTER) {
        const low = message[at + 1];
        if (low === undefined) throw new MalformedMessage('a name runs past the end');
        const target = ((length - POINTER) << 8) | low;
        if (target >= start) throw new MalformedMessage('a compression pointer does not lead back');
        return { start, stop: at, target };
      }
      if (length > MAX_LABEL_OCTETS) throw new MalformedMessage('a label of an unknown type');
      at += length + 1;
      if (at - start >= MAX_NAME_OCTETS) throw new MalformedMessage('a name of more than 255 octets');
    }
  }

  /** The name that begins with these labels and goes on with `parent`. */
  #join({ start, stop }: Labels, parent: MessageName | undefined): MessageName {
    const text = this.#text(start, stop);
    if (!parent) return { text: text === '' ? '.' : text, wire: this.#message.subarray(start, stop + 1), end: stop + 1 };
    const end = stop + 2;
    if (text === '') return { ...parent, end };
    if (stop - start + parent.wire.length > MAX_NAME_OCTETS) throw new MalformedMessage('a name of more than 255 octets');
    return {
      text: parent.text === '.' ? text : `${text}.${parent.text}`,
      wire: Buffer.concat([this.#message.subarray(start, stop), parent.wire]),
      end,
    };
  }

  /** Letters in lower case, dots and backslashes behind a backslash, what is not printable as `\DDD` (RFC 1035 §5.1). */
  #text(start: number, stop: number): string {
    const message = this.#message;
    let size = 0;
    for (let at = start; at < stop;) {
      const end = at + 1 + message[at]!;
      if (at > start) scratch[size++] = DOT;
      while (++at < end) {
        const octet = message[at]!;
        if (octet <= 0x20 || octet >= 0x7f) {
          scratch[size++] = BACKSLASH;
          scratch[size++] = ZERO + Math.trunc(octet / 100);
          scratch[size++] = ZERO + (Math.trunc(octet / 10) % 10);
          scratch[size++] = ZERO + (octet % 10);
        } else {
          if (octet === DOT || octet === BACKSLASH) scratch[size++] = BACKSLASH;
          scratch[size++] = isUpper(octet) ? octet | 0x20 : octet;
        }
      }
    }
    return scratch.toString('latin1', 0, size);
  }
}

const DOT = 0x2e;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
/** Where a name's text is put together: strings that grow by the character cost a hostile message many times as much. */
const scratch = Buffer.allocUnsafe(MAX_TEXT_CHARS);
