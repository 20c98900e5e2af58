import { type CentralPorts, IssuerAnswers } from '@vedette/operations/kit';
import type { Clock } from '@vedette/contract';
import { IANA_TRUST_ANCHORS } from '@vedette/mail/dnssec';
import type { OpenBlacklists } from '@vedette/intel/engines';
import { loadNumbering } from '@vedette/intel/phone';
import type { Ledger } from '@vedette/ledger';
import { type ResolverSelfTest, WitnessTest } from '@vedette/probes/dns';
import { type EngineConfig, type Engines, openEngines } from '@vedette/probes/engines';
import { ownFamilies } from '@vedette/probes/net';
import { onlineTest } from './blacklists.ts';
import type { GatewayConfig } from '../config/config.ts';
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
  optOuts: OptOuts;
  /** Undefined: nothing is noted of what the DNS says. */
  sightings: Sightings | undefined;
  /** Undefined: the resolvers are not tested. */
  resolverTest: ResolverSelfTest | undefined;
  witnessTest: WitnessTest;
  blacklists: OpenBlacklists;
}

interface OpenDeps {
  ledger: Ledger;
  networks: Data['networks'];
  metrics: Metrics;
  log: Logger;
}

/** Opens the ports, and has the resolvers tested from then on. */
export async function openPorts(
  config: GatewayConfig,
  clock: Clock,
  exclusions: Pick<EngineConfig, 'denied' | 'listeners' | 'seenAs'>,
  { ledger, networks, metrics, log }: OpenDeps,
): Promise<OpenPorts> {
  const cache = config.settings.VEDETTE_CACHE === 'on';
  const {
    policy,
    resolver,
    resolverTest: test,
    dialler,
    http3,
    userAgent,
    isInnerName,
    close,
  } = await openEngines({
    ...config,
    ...exclusions,
    clock,
    contact: config.settings.VEDETTE_CONTACT,
    cache,
  });
  const resolverTest = config.witnesses.length > 0 ? test : undefined;
  resolverTest?.start(({ ok, problem }) => {
    if (ok) log.info('our resolvers answer for the root again');
    else log.error({ problem }, 'our resolvers cannot be believed: what needs the DNS is refused, and free');
  });
  // Before the first request asks for them.
  await loadNumbering();
  const witnessTest = new WitnessTest({ witnesses: config.witnesses, resolver, clock, families: ownFamilies });
  witnessTest.watch(({ decides, ok, failing, witnesses }) => {
    if (!decides) return;
    if (ok) log.info({ failing, witnesses }, 'the witnesses answer again');
    else log.error({ failing, witnesses }, 'the witnesses do not answer: what the DNS leaves unanswered is not told of its zones');
  });
  const network = { resolver, dialler, clock, ca: config.ca, issuers: new IssuerAnswers(), userAgent };
  const documents = new Documents();
  const registries = openRegistries(config, { ports: network, ledger, documents, log });
  const counted = countedDns(resolver, { clock, metrics });
  const {
    optOuts,
    passiveDns,
    sightings,
    close: closeOwners,
  } = openOwners(config, { resolver: counted, resolverTest, policy, isInnerName, store: ledger.passiveDns, clock, log });
  const isOnline = onlineTest(resolverTest, witnessTest, clock);
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
      trustAnchors: config.trustAnchors ?? IANA_TRUST_ANCHORS,
      ...data,
    },
    optOuts,
    sightings,
    resolverTest,
    witnessTest,
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
