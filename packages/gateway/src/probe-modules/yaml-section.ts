import { nearest, shown } from '@vedette/contract';
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';

/** A fault of a file, and its place. */
export class FileProblem extends Error {
  constructor(line: number, text: string) {
    super(`line ${line}: ${text}`);
  }
}

/** A key that is not known here: a slip, or of a later blackbox_exporter. */
export class UnknownKey extends FileProblem {
  readonly line: number;
  readonly what: string;

  constructor(line: number, section: string, key: string, meant: string | undefined) {
    const instead = meant === undefined ? '' : `; did you mean ${meant}?`;
    super(line, `${section} has no ${quoted(key)}${instead}`);
    this.line = line;
    this.what = `the key ${quoted(key)} of ${section}${instead}`;
  }
}

const FILE_MAX_CHARS = 1024 * 1024;
const SHOWN_MAX_CHARS = 60;
/** Aliases in one plain value: each may be a copy of what it stands for. */
const PLAIN_ALIASES_MAX = 16;

/** A word of the file, as a sentence may show it. */
export const quoted = (text: unknown): string => JSON.stringify(shown(String(text), SHOWN_MAX_CHARS));

interface Source {
  document: Document.Parsed;
  lines: LineCounter;
}

/** One value of the file. */
interface Entry {
  line: number;
  node: Node | undefined;
}

/** Parses one YAML document, whose top is a mapping. Throws `FileProblem`. */
export function parseSection(text: string): Section {
  if (text.length > FILE_MAX_CHARS) throw new FileProblem(1, `more than ${FILE_MAX_CHARS} characters`);
  const lines = new LineCounter();
  const document = parsed(text, lines);
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw new FileProblem(lines.linePos(problem.pos[0]).line, problem.message.split(/ at line|\n/, 1)[0]!);
  return new Section({ document, lines }, { line: 1, node: document.contents ?? undefined }, 'the file');
}

function parsed(text: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true, customTags: ['binary'] });
  } catch (cause) {
    if (cause instanceof RangeError) throw new FileProblem(1, 'nested too deeply');
    throw cause;
  }
}

/**
 * A mapping of the file, read key by key. A value of the wrong form throws `FileProblem`; so does `end` for an unread key. Aliases and
 * merge keys are followed where they are met, so that none can grow.
 */
export class Section {
  readonly line: number;
  readonly #source: Source;
  readonly #what: string;
  readonly #entries = new Map<string, Entry>();
  readonly #known = new Set<string>();

  constructor(source: Source, entry: Entry, what: string) {
    this.line = entry.line;
    this.#source = source;
    this.#what = what;
    const node = this.#followed(entry);
    if (node === undefined || (isScalar(node) && node.value === null)) return; // `http:` with nothing below it
    if (!isMap(node)) throw new FileProblem(entry.line, `${what} must be a mapping`);
    this.#take(node, true);
  }

  /** The keys, in their order. */
  keys(): string[] {
    return [...this.#entries.keys()];
  }

  has(key: string): boolean {
    this.#known.add(key);
    return this.#entries.has(key);
  }

  lineOf(key: string): number {
    return this.#entries.get(key)?.line ?? this.line;
  }

  /** Other faults of a key. */
  problem(key: string, cause: unknown): FileProblem {
    return new FileProblem(this.lineOf(key), `${key}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }

  section(key: string): Section {
    this.#known.add(key);
    return new Section(this.#source, this.#entries.get(key) ?? { line: this.line, node: undefined }, key);
  }

  /** A list of mappings. */
  sections(key: string): Section[] {
    return this.#items(key).map((entry) => new Section(this.#source, entry, `an entry of ${key}`));
  }

  /** Text; numbers and booleans stand for what was written. */
  text(key: string): string | undefined {
    const entry = this.#entry(key);
    return entry && this.#textOf(entry, key);
  }

  /** Octets: those of `!!binary`, or of a text in UTF-8. */
  octets(key: string): Uint8Array | undefined {
    const entry = this.#entry(key);
    if (entry === undefined) return undefined;
    const node = this.#followed(entry);
    return isScalar(node) && node.value instanceof Uint8Array ? node.value : Buffer.from(this.#textOf(entry, key));
  }

  texts(key: string): string[] {
    return this.#items(key).map((entry) => this.#textOf(entry, key));
  }

  /** The value as YAML has it: a number, a boolean, a text, a list or a mapping. */
  plain(key: string): unknown {
    const entry = this.#entry(key);
    return entry && this.#followed(entry)?.toJS(this.#source.document, { maxAliasCount: PLAIN_ALIASES_MAX });
  }

  integer(key: string): number | undefined {
    const entry = this.#entry(key);
    return entry && this.#integerOf(entry, key);
  }

  integers(key: string): number[] {
    return this.#items(key).map((entry) => this.#integerOf(entry, key));
  }

  flag(key: string): boolean | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    if (/^(true|yes|on)$/i.test(text)) return true;
    if (/^(false|no|off)$/i.test(text)) return false;
    throw new FileProblem(this.lineOf(key), `${key} must be true or false`);
  }

  oneOf<const V extends string>(key: string, values: readonly V[]): V | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    const found = values.find((value) => value === text);
    if (found === undefined) throw new FileProblem(this.lineOf(key), `${key} must be one of ${values.join(', ')}`);
    return found;
  }

  /** Call when all has been read. */
  end(): void {
    for (const [key, { line }] of this.#entries) {
      if (this.#known.has(key)) continue;
      throw new UnknownKey(line, this.#what, key, nearest(key, [...this.#known]));
    }
  }

  #take(map: YAMLMap, own: boolean): void {
    const merged: Entry[] = [];
    for (const { key, value } of map.items) {
      const line = this.#lineOf(key);
      if (!isScalar(key)) throw new FileProblem(line, 'a key must be text');
      const entry: Entry = { line: own ? line : this.line, node: isNode(value) ? value : undefined };
      const name = String(key.value);
      if (name === '<<') merged.push(entry);
      else if (!this.#entries.has(name)) this.#entries.set(name, entry);
    }
    if (!own && merged.length > 0) throw new FileProblem(this.line, 'a merged mapping merges another');
    for (const entry of merged) {
      const node = this.#followed(entry);
      if (!isMap(node)) throw new FileProblem(entry.line, '<< wants one mapping');
      this.#take(node, false);
    }
  }

  #entry(key: string): Entry | undefined {
    this.#known.add(key);
    return this.#entries.get(key);
  }

  #items(key: string): Entry[] {
    const entry = this.#entry(key);
    if (entry === undefined) return [];
    const node = this.#followed(entry);
    if (!isSeq(node)) throw new FileProblem(entry.line, `${key} must be a list`);
    return node.items.map((item) => ({ line: this.#lineOf(item), node: isNode(item) ? item : undefined }));
  }

  #textOf(entry: Entry, key: string): string {
    const node = this.#followed(entry);
    if (!isScalar(node) || node.value === null) throw new FileProblem(entry.line, `${key} must be text`);
    if (node.value instanceof Uint8Array) return Buffer.from(node.value).toString();
    return typeof node.value === 'string' ? node.value : (node.source ?? '');
  }

  #integerOf(entry: Entry, key: string): number {
    const text = this.#textOf(entry, key);
    if (!/^\d{1,9}$/.test(text)) throw new FileProblem(entry.line, `${key} must be a whole number`);
    return Number(text);
  }

  #followed({ line, node }: Entry): Node | undefined {
    if (!isAlias(node)) return node;
    const target = node.resolve(this.#source.document);
    if (target === undefined) throw new FileProblem(line, `there is no anchor ${quoted(node.source)}`);
    return target;
  }

  #lineOf(node: unknown): number {
    const at = isNode(node) ? node.range?.[0] : undefined;
    return at === undefined ? this.line : this.#source.lines.linePos(at).line;
  }
}
