import { createAddressPolicy } from '@vedette/probes/host';
import { type Dialler, isSpecialUseName } from '@vedette/contract';
import { refusing } from '@vedette/probes/dns';
import { createDialler, systemClock } from '@vedette/probes/net';
import { fakeResolver, type FakeZone } from '../../intel/fake-resolver.ts';
import type { Opened } from '../answer.ts';
import { SHUT } from '../shut.ts';
import { type RedirectZoo, ZOO_HOSTS } from './redirect-zoo.ts';

const HERE = { A: ['127.0.0.1'] };
const ZONE: FakeZone = {
  ...Object.fromEntries(ZOO_HOSTS.map((host) => [host, HERE])),
  'quiet.test': HERE,
  'denied.test': HERE,
  'private.test': { A: ['10.0.0.7'] },
  'alias-of-government.test': { CNAME: ['www.irs.gov'] },
  'www.irs.gov': HERE,
  'unanswered.test': 'TIMEOUT',
  'proxy.test': HERE,
};

export interface ZooContext {
  opened: Opened;
  /** `address:port` as it was dialled. */
  dialled: string[];
  /** Names that were asked for, with the type. */
  asked: readonly string[];
}

/** A gateway's context in front of the zoo: its names are the whole DNS. */
export function zooContext(zoo: RedirectZoo, more: Partial<Opened> = {}): ZooContext {
  const inner = createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) });
  const ports: Record<number, number> = { 80: zoo.httpPort, 8080: zoo.httpPort, 443: zoo.httpsPort };
  const dialled: string[] = [];
  const dialler: Dialler = {
    ...inner,
    tcp(options) {
      dialled.push(`${options.address}:${options.port}`);
      return inner.tcp({ ...options, port: ports[options.port] ?? options.port });
    },
  };
  const dns = fakeResolver(ZONE);
  return {
    dialled,
    asked: dns.queries,
    opened: {
      ...SHUT,
      resolver: refusing(dns, isSpecialUseName),
      dialler,
      clock: systemClock,
      ca: [zoo.root],
      userAgent: 'Mozilla/5.0 (compatible; Vedette/0.1; +https://vedette.example)',
      today: () => new Date(),
      isDenied: (host) => host === 'denied.test',
      isOptedOut: (host) => Promise.resolve(host === 'quiet.test'),
      ...more,
    },
  };
}
