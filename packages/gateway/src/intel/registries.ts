import type { CentralPorts } from '@vedette/operations/kit';
import type { Registries } from '@vedette/intel/ports';
import { type BootstrapFile, createRegistries, readWhoisServer } from '@vedette/intel/registration';
import type { Ledger } from '@vedette/ledger';
import { askRdap, askWhois } from '@vedette/probes/registry';
import type { Log } from '@vedette/process/log';
import type { GatewayConfig } from '../config/config.ts';
import type { Documents } from '@vedette/intel/datasets';

/** IANA's files have some 100 KB. */
const BOOTSTRAP_MS = 10_000;
const OK = 200;
/** Only where the operator has the bootstrap itself over http are servers asked over it. */
const SCHEMES = { https: ['https:'], http: ['https:', 'http:'] } as const;

const IANA = 'https://data.iana.org/rdap';

export interface RegistriesDeps {
  /** IANA's files, as feeds brought them. */
  documents: Documents;
  ports: Pick<CentralPorts, 'resolver' | 'dialler' | 'clock' | 'ca' | 'userAgent'>;
  ledger: Pick<Ledger, 'registrations' | 'gateways' | 'isDenied'>;
  log: Log;
}

const parsed = (text: string): unknown => JSON.parse(text);

/** Opens the registries: asked through the connections of each request, and IANA for their addresses through our own. */
export function openRegistries({ settings }: GatewayConfig, { ports, ledger, documents, log }: RegistriesDeps): Registries {
  const { clock, ca, userAgent } = ports;
  const base = settings.VEDETTE_RDAP_BOOTSTRAP.replace(/\/+$/, '');
  const plain = base.startsWith('http:');
  const schemes = plain ? SCHEMES.http : SCHEMES.https;
  return createRegistries({
    clock,
    today: () => clock.today?.() ?? new Date(),
    plain,
    async fetch(file: BootstrapFile) {
      const kept = base === IANA ? documents.text(`iana-rdap-${file.replace('.json', '')}`) : undefined;
      if (kept !== undefined) return parsed(kept);
      const question = { url: `${base}/${file}`, timeout_ms: BOOTSTRAP_MS, schemes };
      const { status, json } = await askRdap(question, { ...ports, isDenied: ledger.isDenied, signal: new AbortController().signal });
      if (status !== OK) throw new Error(`${file}: status ${status}`);
      return json;
    },
    wire: {
      rdap: (question, ways) => askRdap({ ...question, schemes }, { clock, ca, userAgent, ...ways }),
      whois: (question, ways) => askWhois(question, { clock, ...ways }),
    },
    // The setting's pattern has let nothing else through.
    whoisRoot: readWhoisServer(settings.VEDETTE_WHOIS_SERVER) ?? { host: settings.VEDETTE_WHOIS_SERVER, port: 43 },
    gateways: ledger.gateways,
    limits: settings.VEDETTE_LIMITS === 'on',
    cache: settings.VEDETTE_CACHE === 'on' ? ledger.registrations : undefined,
    onCacheFailed: (err) => log.warn({ err }, 'the cache of registrations cannot be used'),
  });
}
