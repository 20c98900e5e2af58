import { type ClientHello, clientHello, EXTENSION, SHARE_GROUPS, SSL3, TLS1_0, TLS1_1, TLS1_2, TLS1_3 } from './client-hello.ts';
import { type Answer, type Line, Stopped } from './exchange.ts';
import type { Found, Version } from './found.ts';
import { CURVES, GROUPS, SIGNATURES } from './groups.ts';
import type { ServerHello } from './server-hello.ts';
import { isForSsl3, SUITES_1_3, SUITES_OLD } from './suites.ts';

export const CODES: Readonly<Record<Exclude<Version, 'sslv2'>, number>> = {
  sslv3: SSL3,
  tls1_0: TLS1_0,
  tls1_1: TLS1_1,
  tls1_2: TLS1_2,
  tls1_3: TLS1_3,
};

export const CURVE_CODES = CURVES.map(([code]) => code);
export const GROUP_CODES = GROUPS.map(([code]) => code);
export const SIGNATURE_CODES = SIGNATURES.map(([code]) => code);

/** The server refused a hello, with this alert where it sent one. */
export interface Refusal {
  refused: true;
  alert: number | undefined;
  /** It said nothing for as long as a hello may take. */
  isSilent: boolean;
}

/** The part of a hello that differs from the next one. */
export type Question = Pick<ClientHello, 'versions' | 'suites'> & Partial<ClientHello>;

/** Suites that servers usually have: fewer than some load balancers can take. */
export const USUAL = SUITES_OLD.filter(({ name }) => !/ARIA|CAMELLIA|CCM|_DSS_|_ECDH_|SEED|IDEA|anon|EXPORT|NULL|_DES_/.test(name));
const ALL_VERSIONS = [TLS1_3, TLS1_2, TLS1_1, TLS1_0];

/**
 * Asks one server, and knows a hello that it answers. A connection that ends in silence, or in a reset, is a refusal only if the server answers that
 * one right afterwards: otherwise a firewall on the way has had enough of us, and the scan ends.
 */
export class Asker {
  readonly found: Found;
  readonly line: Line;
  readonly #name: string | undefined;
  #terms: Partial<ClientHello> = {};
  #known: ClientHello | undefined;
  /** The last failure, as long as no hello was answered. */
  unanswered: Answer | undefined;

  constructor(line: Line, found: Found, name: string | undefined) {
    this.line = line;
    this.found = found;
    this.#name = name;
  }

  /** The name that the server is sent. */
  get serverName(): string | undefined {
    return this.found.withoutName ? undefined : this.#name;
  }

  /** Servers choose a group freely: the hellos bring no key share, which would leave them but one. */
  get isFreeInGroups(): boolean {
    return this.#terms.keyShare === undefined;
  }

  /** Finds a hello that the server answers. Returns the last answer, where none is one; no further hello is tried where there is no connection. */
  async open(): Promise<Answer | undefined> {
    const modern: Question = {
      versions: ALL_VERSIONS,
      suites: [...SUITES_1_3, ...USUAL],
      groups: [...GROUP_CODES, ...CURVE_CODES.slice(5)],
    };
    const attempts: { question: Question; terms?: Partial<ClientHello>; withoutName?: true }[] = [
      { question: modern },
      { question: modern, terms: { keyShare: SHARE_GROUPS[0]! } },
      ...(this.#name === undefined ? [] : [{ question: modern, withoutName: true as const }]),
      { question: { versions: [TLS1_2], suites: SUITES_OLD } },
      { question: { versions: [TLS1_0], suites: SUITES_OLD.filter(({ aead }) => !aead) } },
      { question: { versions: [SSL3], suites: SUITES_OLD.filter(isForSsl3) } },
    ];
    let answer: Answer | undefined;
    for (const { question, terms = {}, withoutName = false } of attempts) {
      this.found.withoutName = withoutName;
      this.#terms = terms;
      const hello = this.#helloOf(question);
      answer = await this.line.say(clientHello(hello));
      if (answer.kind === 'hello') {
        this.#known = hello;
        const version = versionOf(answer.hello);
        if (question === modern && version) this.found.preferred = version;
        this.#note(answer.hello);
        this.unanswered = undefined;
        return undefined;
      }
      this.unanswered = answer;
      if (answer.kind === 'unconnected') break;
    }
    this.found.withoutName = false;
    this.#terms = {};
    return answer;
  }

  /** The server's hello, or its refusal. Rejects with `Stopped`, and as `Line` does. */
  async ask(question: Question): Promise<ServerHello | Refusal> {
    return await this.#ask(clientHello(this.#helloOf(question)), (hello) => this.line.say(hello));
  }

  /** The server's hello if its certificate follows, or its refusal. Rejects as `ask` does. */
  async askForCertificate(question: Question): Promise<ServerHello | Refusal> {
    return await this.#ask(clientHello(this.#helloOf(question)), (hello) => this.line.sayForCertificate(hello));
  }

  async #ask(hello: Buffer, say: (hello: Buffer) => Promise<Answer>): Promise<ServerHello | Refusal> {
    for (let isAgain = false; ; isAgain = true) {
      const answer = await say(hello);
      if (answer.kind === 'hello') {
        this.#note(answer.hello);
        return answer.hello;
      }
      if (answer.kind === 'alert') return { refused: true, alert: answer.code, isSilent: false };
      await this.prove();
      // Not even a connection: that says nothing about the hello.
      if (answer.kind !== 'unconnected') return { refused: true, alert: undefined, isSilent: answer.kind === 'silent' };
      if (isAgain) throw new Stopped('server');
    }
  }

  /** Resolves if the server still answers the hello that it is known to answer. Rejects with `Stopped`. */
  async prove(): Promise<void> {
    if (!this.#known) return;
    const { kind } = await this.line.say(clientHello(this.#known));
    if (kind !== 'hello') throw new Stopped('server');
  }

  #helloOf(question: Question): ClientHello {
    return {
      groups: question.versions.includes(TLS1_3) ? GROUP_CODES : CURVE_CODES,
      signatures: SIGNATURE_CODES,
      serverName: this.serverName,
      ...this.#terms,
      ...question,
    };
  }

  /** Keeps what any hello tells beside what it was asked for. */
  #note(hello: ServerHello): void {
    const { found } = this;
    const version = versionOf(hello);
    if (version) found.versions[version] = 'yes';
    if (!version || version === 'tls1_3') return;
    const { extensions, suite, dhBits, stapled } = hello;
    found.secureRenegotiation = extensions.has(EXTENSION.renegotiation) ? 'yes' : 'no';
    if (dhBits > 0) found.dhBits = found.dhBits === 0 ? dhBits : Math.min(found.dhBits, dhBits);
    if (version === 'sslv3') return;
    found.extendedMasterSecret = extensions.has(EXTENSION.extendedMasterSecret) ? 'yes' : 'no';
    if (suite.name.includes('_CBC_')) found.encryptThenMac = extensions.has(EXTENSION.encryptThenMac) ? 'yes' : 'no';
    if (found.tickets !== 'yes') found.tickets = extensions.has(EXTENSION.sessionTicket) ? 'yes' : 'no';
    if (found.stapling !== 'yes') found.stapling = stapled ? 'yes' : 'no';
  }
}

export const isRefusal = (answer: ServerHello | Refusal): answer is Refusal => 'refused' in answer;

function versionOf({ version }: ServerHello): Exclude<Version, 'sslv2'> | undefined {
  return (Object.keys(CODES) as (keyof typeof CODES)[]).find((name) => CODES[name] === version);
}
