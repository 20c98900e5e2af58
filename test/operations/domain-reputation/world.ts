import type { BlacklistCheck, DomainRegistration, EngineResult } from '@vedette/intel/ports';
import { shippedNames } from '@vedette/intel/names';
import { mailContext } from '../../intel/mail-context.ts';
import type { FakeZone } from '../../intel/fake-resolver.ts';
import { UNKNOWN_DOMAIN } from '../../registries/unknown.ts';
import type { Opened } from '../answer.ts';

const NAMES = shippedNames();

export const engine = (name: string, more: Partial<EngineResult> = {}): EngineResult => ({
  id: name.toLowerCase(),
  name,
  detected: false,
  reference: '',
  elapsed_ms: 1,
  confidence: 'high',
  doubtful: false,
  weight: 0.2,
  group: '',
  meanings: [],
  ...more,
});

export const registration = (more: Partial<DomainRegistration>): DomainRegistration => ({
  ...UNKNOWN_DOMAIN,
  state: 'registered',
  answered: true,
  created: '2020-02-03',
  ...more,
});

interface World {
  zone?: FakeZone;
  engines?: readonly EngineResult[];
  unanswered?: BlacklistCheck['unanswered'];
  registration?: DomainRegistration | Error;
}

/** What the operation works with: a DNS, engines and a registry that say what they are told to, and the lists that are shipped. */
export function world({ zone = {}, engines = [engine('Clean')], unanswered = [], registration: registered }: World) {
  const { context, dns } = mailContext(zone);
  const asked: { host: string; exclude: readonly string[]; key: string | undefined }[] = [];
  const registryAsked: { name: string; cachedOnly: boolean }[] = [];
  const opened: Opened = {
    ...context,
    names: NAMES,
    blacklists: {
      ...context.blacklists,
      async host(host, { exclude, key }) {
        asked.push({ host, exclude, key });
        return { results: engines, unanswered, scan_time_ms: 12.4 };
      },
    },
    registries: {
      ...context.registries,
      async domain(name, { cachedOnly }) {
        registryAsked.push({ name, cachedOnly });
        if (registered instanceof Error) throw registered;
        return registered ?? registration({ state: 'unknown', created: '', problem: 'whois.example did not answer' });
      },
    },
  };
  return { opened, dns, asked, registryAsked };
}
