import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { readCatalogue } from '../../../packages/gateway/src/locations/locations.ts';
import { probeOperation } from '../../../packages/gateway/src/probe/operations.ts';
import { DNS_DEFAULTS, HTTP_DEFAULTS, ICMP_DEFAULTS } from '../../../packages/gateway/src/probe-modules/modules.ts';

it.each([HTTP_DEFAULTS, ICMP_DEFAULTS, DNS_DEFAULTS, { ...DNS_DEFAULTS, queryName: 'example.org' }])(
  'a scrape with a module like $name costs what the one operation with its probe costs',
  (module) => {
    const { probe, cost, deadline_ms } = probeOperation(module, readCatalogue(undefined));
    const same = operations.filter((operation) => operation.kind === 'distributed' && operation.probe === probe);
    expect(same).toHaveLength(1);
    expect({ cost, deadline_ms }).toEqual({ cost: same[0]!.cost, deadline_ms: same[0]!.deadline_ms });
  },
);
