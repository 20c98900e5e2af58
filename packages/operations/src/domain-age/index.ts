import { field, schemasOf } from '@vedette/contract';
import { central } from '../kit/index.ts';
import { Type } from 'typebox';
import { AGE_FIELDS, ageFields, askForRegistration, INQUIRY, type KnownAge, whyUndated } from '../shared/names/domain-age.ts';

export const DOMAIN_AGE_FIELDS = {
  host: field(Type.String({ description: 'Host from the request, in lower-case A-labels' }), '`bücher.example` is `xn--bcher-kva.example`'),
  registrable_domain: field(
    Type.String({
      description: 'Registered domain whose age is reported: the host or a parent domain; empty if the parent gives names to others',
    }),
    '`www.example.co.uk` is below `example.co.uk`, `login.shop.uk.com` below `shop.uk.com`. Empty for `someone.github.io`: ask for `github.io` itself for the age of that domain',
  ),
  ...AGE_FIELDS,
  debug_message: field(
    Type.String({
      description:
        'Reason why the age is unknown, sources that did not answer, or the age of the data; empty if the answer is complete and current',
    }),
    '"The registry does not say when it was registered" is what .de, .eu, .au and others cause, and redacted dates',
  ),
};

/** Tells since when a domain is registered. Nothing of the domain itself is contacted. */
export const domainAge = central({
  name: 'domain-age',
  summary: 'Get the age of a domain, from its registry',
  description:
    'Asks the registry as domain-info does, with the same cache, and reports only what concerns the age. Names under hosts that give names away (github.io) have no known age. docs/domain-age.md explains the fields.',
  cost: 1,
  ...INQUIRY,
  references: ['RFC 9083', 'RFC 9224', 'RFC 3912'],
  response: Type.Object(schemasOf(DOMAIN_AGE_FIELDS)),
  async run(query, context) {
    const { host, domain, isLandlords } = query;
    const found: KnownAge = isLandlords ? givenAway(host, domain) : await askForRegistration(query, context);
    const age = ageFields(found, context.today());
    return {
      host,
      registrable_domain: isLandlords ? '' : domain,
      ...age,
      debug_message: age.domain_age_found ? found.problem : whyUndated(found),
    };
  },
});

/** The parent's registry would give the parent's age. */
const givenAway = (host: string, domain: string): KnownAge => ({
  state: 'unknown',
  created: '',
  problem: `${domain} gives names to others, and no registry knows since when ${host} exists`,
});
