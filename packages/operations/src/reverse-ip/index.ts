import { ApiError } from '@vedette/contract';
import { central, Defaulted } from '../kit/index.ts';
import { Type } from 'typebox';

/** Names that were seen at an IPv4 address, from our own passive DNS: nothing is asked. */
export const reverseIp = central({
  name: 'reverse-ip',
  subject: 'networks',
  summary: 'List the domains seen at an IPv4 address',
  description:
    'Lists names that several accounts of this service have requested, and names imported by the operator. No query is sent. ' +
    'Names requested only by your account are never shown. An empty list means that no name was seen, not that none exists. ' +
    'Names stay listed for 13 months after their last sighting. ' +
    'The report has at most 200 names below one registrable domain, and the 100,000 most recent names of one address.',
  cost: 1,
  deadline_ms: 10_000,
  contactsTarget: false,
  references: ['draft-dulaunoy-dnsop-passive-dns-cof'],
  targets: { ip: 'address' },
  request: Type.Object(
    {
      ip: Type.String({ minLength: 1, maxLength: 64, description: 'Public IPv4 address', examples: ['8.8.8.8'] }),
      page_num: Defaulted(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'Page number, from 1; pages after 200 are empty',
          examples: [1],
        }),
        1,
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    ip: Type.String({ description: 'IP address from the request' }),
    page_num: Type.Integer({ description: 'Page number of this report' }),
    records_num: Type.Integer({
      description:
        'Number of domains on this page. 500 means that another page may follow; 0 on the first page means that no domain was seen',
    }),
    domains: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Domain in lower-case A-labels' }),
        updated: Type.String({
          format: 'date-time',
          description: 'Day of the last sighting at the address; imported data may have the exact second',
        }),
      }),
      { description: 'Domains, most recently seen first, then by name' },
    ),
  }),
  examples: [{ ip: '8.8.8.8' }],
  read({ page_num }, { ip }) {
    if (ip.kind !== 'ipv4') throw new ApiError('invalid_parameter', 'ip must be an IPv4 address', { param: 'ip' });
    return { address: ip.host, page: page_num };
  },
  async run({ address, page }, { passiveDns }) {
    const names = await passiveDns.namesAt(address, page);
    return {
      ip: address,
      page_num: page,
      records_num: names.length,
      domains: names.map(({ name, last_seen }) => ({ name, updated: last_seen.toISOString().replace(/\.\d+Z$/, 'Z') })),
    };
  },
});
