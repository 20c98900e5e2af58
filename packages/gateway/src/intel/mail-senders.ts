import type { Clock, Resolver } from '@vedette/contract';
import { MAIL_SENDERS, MAIL_SENDERS_LIST } from '@vedette/intel/addresses';
import { readSender, type SenderNetworks, senderSnapshot, shippedSenders } from '@vedette/mail/senders';
import type { NetworkSetters } from '@vedette/intel/networks';
import { budgeted } from '@vedette/probes/dns';
import type { Log } from '@vedette/process/log';
import type { GatewayConfig } from '../config/config.ts';
import type { OpenPorts } from './ports.ts';

/** No hurry: others need our resolvers for requests. */
const PAUSE_MS = 10_000;
const ROUND_MS = 86_400_000;
/** A record of the largest sender takes some thirty questions. */
const QUESTIONS = { questions: 100, ms: 30_000 };

export interface MailSenderDeps {
  networks: NetworkSetters;
  resolver: Resolver;
  clock: Clock;
  /** Whether what our resolvers say can be believed now. */
  isBelieved(): boolean;
  log: Log;
}

/**
 * Knows which addresses the SPF records of major mail providers let send: as shipped at first, and as they are published once they were read. They
 * are read one after the other, every day, which is the operator's own traffic and no request's.
 */
export class MailSenderNetworks {
  readonly #deps: MailSenderDeps;
  readonly #stopped = new AbortController();
  #known: SenderNetworks = shippedSenders();

  constructor(deps: MailSenderDeps) {
    this.#deps = deps;
  }

  /** Puts what is shipped in use. */
  ship(): Promise<void> {
    return this.#deps.networks.setList(MAIL_SENDERS_LIST, senderSnapshot(this.#known));
  }

  /** Reads the records now and every day. */
  start(): void {
    void this.#loop().catch(() => undefined); // stopped
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #loop(): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#stopped;
    while (true) {
      await this.#round(signal);
      await clock.sleep(ROUND_MS, signal);
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { networks, resolver, clock, isBelieved, log } = this.#deps;
    const read = new Map(this.#known);
    const unread: string[] = [];
    for (const sender of MAIL_SENDERS) {
      await clock.sleep(PAUSE_MS, signal);
      using share = budgeted(resolver, QUESTIONS, clock);
      const found = isBelieved() ? await readSender(sender, this.#known.get(sender.spf) ?? [], { resolver: share, signal }) : undefined;
      if (found === undefined) unread.push(sender.spf);
      else read.set(sender.spf, found);
    }
    await networks.setList(MAIL_SENDERS_LIST, senderSnapshot(read));
    this.#known = read;
    if (unread.length > 0) log.warn({ unread }, 'SPF records of mail providers could not be read: what was known of them stays');
    else log.info({ read: read.size }, 'the SPF records of mail providers were read');
  }
}

interface OpenDeps {
  intel: OpenPorts;
  clock: Clock;
  log: Log;
  opened: AsyncDisposableStack;
}

/**
 * Uses the shipped networks, which resolves the promise, and reads the records if feeds are fetched: a gateway that fetches no feeds asks
 * no other server either.
 */
export function openMailSenders({ feeds }: GatewayConfig, { intel, clock, log, opened }: OpenDeps): Promise<void> {
  const { data, ports, health } = intel;
  const senders = new MailSenderNetworks({
    networks: data.networks,
    resolver: ports.resolver,
    clock,
    isBelieved: () => health.verdict('resolver') !== 'bad',
    log,
  });
  opened.defer(() => senders.stop());
  if (feeds.catalogue.some(({ enabled }) => enabled)) senders.start();
  return senders.ship();
}
