import { type CentralPorts, IssuerAnswers } from '@vedette/operations/kit';
import type { Clock } from '@vedette/contract';
import { IANA_TRUST_ANCHORS } from '@vedette/mail/dnssec';
import type { OpenBlacklists } from '@vedette/intel/engines';
import { loadNumbering } from '@vedette/intel/phone';
import type { Ledger } from '@vedette/ledger';
import { type EngineConfig, type Engines, openEngines } from '@vedette/probes/engines';
import type { NetworkCapability, Health } from '@vedette/probes/health';
import { onlineTest } from './blacklists.ts';
import type { GatewayConfig } from '../config/config.ts';
import { namesOfAccounts } from './account-brands.ts';
import { countedDns } from './counted-dns.ts';
import { type Data, openData } from './data.ts';
import { Documents } from '@vedette/intel/datasets';
import type { Logger } from '@vedette/process/log';
import type { Metrics } from '../metrics/metrics.ts';
import type { OptOuts } from '@vedette/probes/host';
import { openOwners, type Sightings } from './owners.ts';
import { openRegistries } from './registries.ts';

/** The ports that all requests share; parsers and renderers know the request that they work for. */
export type SharedPorts = Omit<CentralPorts, 'renderers' | 'parsers'>;

/** The ports of this gateway's operations, and the rules for its contacts. */
export interface OpenPorts extends Pick<Engines, 'policy' | 'isInnerName' | 'close'> {
  ports: SharedPorts;
  /** The part of the ports that is data, with the functions that feeds set it by. */
  data: Data;
  /** Names as an account knows them, with its own brands. */
  namesOf: ReturnType<typeof namesOfAccounts>;
  optOuts: OptOuts;
  /** Undefined: nothing is noted of what the DNS says. */
  sightings: Sightings | undefined;
  health: Health;
  blacklists: OpenBlacklists;
}

interface OpenDeps {
  ledger: Ledger;
  networks: Data['networks'];
  metrics: Metrics;
  log: Logger;
}

/** Opens the ports, and has our own network tested from then on. */
export async function openPorts(
  config: GatewayConfig,
  clock: Clock,
  exclusions: Pick<EngineConfig, 'denied' | 'listeners' | 'seenAs' | 'clockSkewMs'>,
  { ledger, networks, metrics, log }: OpenDeps,
): Promise<OpenPorts> {
  const cache = config.settings.VEDETTE_CACHE === 'on';
  const { policy, resolver, health, dialler, http3, userAgent, isInnerName, close } = await openEngines({
    ...config,
    ...exclusions,
    clock,
    servers: config.signIn ? [config.signIn.server] : [],
    contact: config.settings.VEDETTE_CONTACT,
    cache,
  });
  followVerdicts(health, log);
  // Before the first request asks for them.
  await loadNumbering();
  const network = { resolver, dialler, clock, ca: config.ca, issuers: new IssuerAnswers(), userAgent };
  const documents = new Documents();
  const registries = openRegistries(config, { ports: network, ledger, documents, log });
  const counted = countedDns(resolver, { clock, metrics });
  const {
    optOuts,
    passiveDns,
    sightings,
    close: closeOwners,
  } = openOwners(config, { resolver: counted, health, policy, isInnerName, store: ledger.passiveDns, clock, log });
  const isOnline = config.witnesses.dns.length > 0 ? onlineTest(health, clock) : undefined;
  const data = openData(
    { networks, registries, documents, passiveDns },
    { engines: config.engines, resolver, clock, cache, isOnline, metrics, log },
  );
  return {
    data,
    ports: {
      ...network,
      http3,
      resolver: counted,
      tor: config.torSocks && { socks: config.torSocks, witnesses: config.witnesses.tcp },
      trustAnchors: config.trustAnchors ?? IANA_TRUST_ANCHORS,
      ...data,
    },
    namesOf: namesOfAccounts(data.names),
    optOuts,
    sightings,
    health,
    policy,
    isInnerName,
    blacklists: data.blacklists,
    async close() {
      data.blacklists.stop();
      // Its last names are asked about, too.
      await closeOwners();
      await close();
    },
  };
}

/** The consequences of a capability that does not work, for the log. */
const CONSEQUENCES: Partial<Record<NetworkCapability, string>> = {
  resolver: 'our resolvers cannot be believed: what needs the DNS is refused, and free',
  quic: 'no QUIC server answers: silence over UDP is not told of servers',
};

function followVerdicts(health: Health, log: Logger): void {
  let wasUp = true;
  health.watch(({ capability, verdict, problem }) => {
    if (verdict === 'bad') log.warn({ capability, problem }, CONSEQUENCES[capability] ?? 'a capability of this gateway does not work');
    else log.info({ capability }, 'a capability of this gateway works again');
    const { ok, ...counts } = health.network;
    if (ok === wasUp) return;
    wasUp = ok;
    if (ok) log.info(counts, 'the witnesses answer again');
    else log.error(counts, 'the witnesses do not answer: what the DNS leaves unanswered is not told of its zones');
  });
  health.start();
}
