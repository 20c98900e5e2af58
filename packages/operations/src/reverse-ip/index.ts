import { ApiError, central } from '@vedette/contract';
import { Type } from 'typebox';

/** Names that were seen at an IPv4 address, from our own passive DNS: nothing is asked. */
export const reverseIp = central({
  name: 'reverse-ip',
  summary: 'Domains that were seen at an IPv4 address',
  description:
    'Answered from the names that several accounts of this service have asked about, and from what its operator has imported: nothing is asked. ' +
    'A name that your account alone has asked about is never shown. ' +
    'No names means that nobody saw any there, not that there are none. A name that has moved stays for 13 months after it was last seen. ' +
    'Of one registrable domain at most 200 names below it are listed, and of one address the last seen 100,000.',
  cost: 1,
  deadline_ms: 10_000,
  contactsTarget: false,
  references: ['draft-dulaunoy-dnsop-passive-dns-cof'],
  targets: { ip: 'address' },
  request: Type.Object(
    {
      ip: Type.String({ minLength: 1, maxLength: 64, description: 'Public IPv4 address', examples: ['8.8.8.8'] }),
      page_num: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          default: 1,
          description: 'Which page, from 1; those behind 200 are empty',
          examples: [1],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    ip: Type.String({ description: 'As it was sent' }),
    page_num: Type.Integer({ description: 'Which page this is' }),
    records_num: Type.Integer({
      description: 'Domains on this page: with 500 there may be another, with fewer it is the last. 0 on the first: none was seen there',
    }),
    domains: Type.Array(
      Type.Object({
        name: Type.String({ description: 'In lower-case A-labels' }),
        updated: Type.String({
          format: 'date-time',
          description: 'Day on which the name was last seen at the address; imports may have the second',
        }),
      }),
      { description: 'The last seen first, then by name' },
    ),
  }),
  examples: [{ ip: '8.8.8.8' }],
  read({ page_num = 1 }, { ip }) {
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
