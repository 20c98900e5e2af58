import { describe, expect, it } from 'vitest';
import { readWhoisDomain } from '@vedette/intel/registration';

const NOW = new Date('2026-11-21T00:00:00Z');
const read = (lines: readonly string[], name = 'example-shop.zz') => readWhoisDomain(lines.join('\n'), name, NOW);
const kindOf = (...lines: string[]) => read(lines).kind;

/** In the words of a large operator of registries, below each of its answers. */
const OPERATORS_TERMS =
  'Terms of Use: Example Registry Inc. provides this service for information purposes. Domains may be reserved by the registry. ' +
  'You agree that you will use this data only for lawful purposes. If too many queries are received from a single IP address within a ' +
  'specified time, the service will begin to reject further queries for a period of time, and your access may be blocked.';
const WRAPPED_TERMS = [
  'TERMS OF USE: You are not authorized to access or query our database through',
  'the use of electronic processes that are high-volume. Names that are reserved',
  'by the registry are not shown. Too many queries have been received in the past;',
  'access denied to clients that exceeded the number of queries is restored on the',
  'next day. The compilation of this data is prohibited. Limits are subject to',
  'change, and the rate is reached by whoever asks more than once in a second.',
];

describe('the answer is what counts, and not the terms of use around it', () => {
  it.each<[string, string[]]>([
    ['on one line below it', ['Domain not found.', OPERATORS_TERMS]],
    ['behind a line of its own', ['Domain not found.', '>>> Last update of WHOIS database: 2026-07-12T12:34:26Z <<<', '', OPERATORS_TERMS]],
    ['in many lines below it', ['NOT FOUND', ...WRAPPED_TERMS]],
    ['above it', [...WRAPPED_TERMS, '', 'Domain Information', 'Query: example-shop.zz', 'Status: Not Registered']],
    ['in comments', [...WRAPPED_TERMS.map((line) => `% ${line}`), '%', '% Not Registered - the domain is not a registered one.']],
  ])('%s', (_, lines) => {
    expect(kindOf(...lines)).toBe('unregistered');
  });

  it('terms alone say nothing', () => {
    expect(kindOf(OPERATORS_TERMS)).toBe('unreadable');
    expect(kindOf(...WRAPPED_TERMS)).toBe('unreadable');
    expect(kindOf('Please note: your IP address may be blocked.', 'If too many requests come in, access denied is what you get.')).toBe(
      'unreadable',
    );
  });

  // Each of these silenced its registry for a minute, for all accounts.
  it.each<[string, string[]]>([
    ['a notice', ['Domain not found.', 'Notice: Too many queries from one address lead to a block.']],
    ['a notice below an answer without a full stop', ['NOT FOUND', 'NOTICE: Excessive querying of this server results in access denied.']],
    [
      'a notice on the same line',
      ['No match for EXAMPLE-SHOP.ZZ. Note: access denied to clients that exceeded the daily number of queries.'],
    ],
    [
      'a notice of its own',
      ['No Data Found', '', 'Please note: connections exceeded by automated clients are cut. Request denied is what they see.'],
    ],
    [
      'two sentences of one notice',
      ['No match', '', 'NOTICE: This service is for people. Bulk clients read "access denied" from the second query on.'],
    ],
    ['terms', ['Object does not exist', 'Terms of use: bulk access denied by default, as described on the page of the registry']],
    [
      'comments below a plain answer',
      ['No entries found', '', '% The number of queries is counted: the quota is reached by robots within minutes.'],
    ],
    [
      'comments around a comment',
      ['% This server limits queries.', '% No entries found', '% Clients that exceeded the query limit are blocked for a day.'],
    ],
    ['a general rule without a label', ['Domain example-shop.zz is free', 'Only 30 queries per minute are allowed.']],
    ['a general rule above', ['Too many requests from one address lead to a block.', '', 'No match for "example-shop.zz".']],
    ['a condition before', ['Not registered.', 'Once you have exceeded the daily limit, your address is blocked.']],
    ['a condition behind', ['The domain has not been registered.', 'Access denied when more than 100 queries an hour arrive.']],
  ])('a short word on limits is no refusal: %s', (_, lines) => {
    expect(kindOf(...lines)).toBe('unregistered');
  });

  it.each<[string, string[]]>([
    ['alone', ['Please go away for 13 seconds']],
    ['below "not found"', ['No entries found.', 'Query rate limit exceeded.']],
    ['in a comment below "not found"', ['No entries found.', '', '% Query rate limit exceeded. Reduced information.']],
    ['in a notice to us', ['Domain not found.', 'Notice: You have exceeded the number of queries for today, and see nothing more.']],
    [
      'in a notice about our address',
      ['NOT FOUND', '', 'NOTE: your IP address has been blocked, since it asked more often than the registry allows.'],
    ],
    ['in a notice of three words', ['No match', 'Notice: Access denied.']],
    ['above, on the same line', ['Too many requests. No match for "example-shop.zz".']],
    ['on the line below', ['No Data Found', 'You are blocked for 60 seconds; your queries are limited: you exceeded the query limit.']],
    ['with a word for those who doubt it', ['NOT FOUND', 'You have exceeded the query limit; write to us if you have not.']],
    ['with a condition in another clause', ['NOT FOUND', 'Query limit exceeded, please come back when an hour has gone by.']],
    ['as a rule, with no answer beside it', ['Only 30 queries per minute are allowed.']],
    ['before the terms', ['Query rate limit exceeded.', ...WRAPPED_TERMS]],
    ['behind the terms', [...WRAPPED_TERMS, '', 'Your request could not be performed.', 'Lookup quota exceeded.']],
    ['in comments behind the terms', [...WRAPPED_TERMS.map((line) => `% ${line}`), '%', '% Excessive querying, grace period of 1 seconds']],
    ['beside "no entries"', ['%% This is the registry of .zz', '%%', '%% Too many requests...', '%%', '', '%% No entries found.']],
    ['with a count', ['whois.nic.zz: only 1 request per second allowed, try again later']],
    ['with the wait', ['% WHOIS example-shop.zz', '-1: Still in grace period, wait 7777777 seconds']],
    ['with the address', ['Error for "example-shop.zz".', '', 'The WHOIS query quota for 192.0.2.1 has been exceeded']],
    ['as a status', ['domain_name: example-shop.zz', 'query_status: 440 Request Denied']],
    ['for a while', ['WHOIS lookup for EXAMPLE-SHOP.ZZ can temporarily not be answered. Please try again.']],
  ])('a refusal is seen %s', (_, lines) => {
    expect(kindOf(...lines)).toBe('limited');
  });
});

it.each<[string, string[]]>([
  ['CoCCA', ['Domain Name: example-shop.zz', 'Domain Status: No Object Found', '', ...WRAPPED_TERMS]],
  ['CoCCA, restricted', ['Domain Name: example-shop.zz', 'Domain Status: No Object Found', 'Notes: registered after approval only']],
  ['.tw', ['No Found']],
  ['.hu', ['% Whois server 3.0 serving the zz ccTLD', '', 'Nincs talalat / No match']],
  ['.kr', ['query : example-shop.zz', '', '# ENGLISH', '', 'The requested domain was not found in the Registry.']],
  ['.tk', ['Invalid query or domain name not known in the Domain Registry']],
  ['.za', ['Available', 'Domain: example-shop.zz']],
  ['.hr', ['%ERROR: no entries found']],
  ['.ma', ['%error 230 No Objects Found']],
  ['.mx', ['No_Se_Encontro_El_Objeto/Object_Not_Found', '', '&NOTA:']],
  ['.ar', ['El dominio no se encuentra registrado en NIC Example']],
  ['.cl', ['example-shop.zz: no existe']],
  ['.cl, later', ['%% This is the server', '%%', 'example-shop.zz: no entries found.']],
  ['.es', ['There is no information available on the domain consulted.']],
  ['.coop', ['No domain records were found to match "example-shop.zz"']],
  ['.museum', ['% Object "example-shop.zz" NOT FOUND.']],
  ['.ax', ['Searching for example-shop.zz.', 'No records matching example-shop.zz found.']],
  ['.pt', ['example-shop.zz - No Match']],
  ['.uz', ['Sorry, but domain: "example-shop.zz", not found in database']],
  ['.lk', ['This Domain is not available in our whois database']],
  ['.sx', ['Status: AVAILABLE (No match for domain "example-shop.zz")']],
  ['.my', ['>>> Domain example-shop.zz is available for registration']],
  ['.co.ca', ['EXAMPLE-SHOP.ZZ is available.', '', OPERATORS_TERMS]],
])('a free name in the words of %s', (_, lines) => {
  expect(kindOf(...lines)).toBe('unregistered');
});

it.each<[string, string[], string]>([
  ['.fi', ['Domain not available'], 'unreadable'],
  ['.be', ['Domain: example-shop.zz', 'Status: NOT AVAILABLE'], 'data'],
  ['.name', ['Not available for second level registration.', 'Third level registrations may be available.'], 'reserved'],
  ['.cn', ['The domain you requested is prohibited.'], 'reserved'],
  ['.jp', ['Domain Information:', 'a. [Domain Name]   EXAMPLE-SHOP.ZZ', '[State]   Reserved'], 'reserved'],
  [
    '.be, a name with a wrong character',
    ['Domain: example-shop.zz', 'Status: NOT ALLOWED', 'Message: Use only approved characters.'],
    'reserved',
  ],
  ['.it', ['Domain: example-shop.zz', 'Status: UNASSIGNABLE'], 'reserved'],
  ['.de, a name that cannot be', ['Domain: example-shop.zz', 'Status: invalid'], 'unreadable'],
  ['.ke, another zone', ['Query: example-shop.zz', 'Status: This WHOIS server does not have any records for that zone.'], 'unreadable'],
  ['.gov', ['Domain Name: EXAMPLE-SHOP.ZZ', 'Status: ACTIVE'], 'data'],
  ['.bg', ['DOMAIN NAME: example-shop.zz', 'registration status: busy, active'], 'data'],
  ['a notice', ['Copyright 2026. All rights reserved by the registry.'], 'unreadable'],
])('%s: %j is %s', (_, lines, kind) => {
  expect(kindOf(...lines)).toBe(kind);
});

it('IANA knows who has a name below .int, and no other word for "nobody"', () => {
  const none = (name: string) => [
    '% IANA WHOIS server',
    '% This query returned 0 objects.',
    '%',
    `% You queried for ${name} but this server does not have`,
    `% any data for ${name}.`,
  ];
  expect(read(none('example-shop.int'), 'example-shop.int').kind).toBe('unregistered');
  expect(read(none('example-shop.zz')).kind).toBe('unreadable');
  const some = ['domain:       EXAMPLE.INT', 'organisation: Example Organization', '', 'created:      1997-08-26', 'source: IANA'];
  expect(read(some, 'example.int')).toMatchObject({ kind: 'data', reading: { created: '1997-08-26' } });
});

it.each<[string, string[], Record<string, unknown>]>([
  [
    '.ee, where a heading stands above keys that are not indented',
    [
      'Domain:',
      'name:       example-shop.zz',
      'status:     ok (paid and in zone)',
      'registered: 2010-07-04 04:34:46 +03:00',
      'expire:     2027-11-09',
      '',
      'Registrant:',
      'name:       Example Shop',
      'changed:    2001-01-01',
      '',
      'Registrar:',
      'name:       Example Registrar',
    ],
    { created: '2010-07-04', expires: '2027-11-09', updated: '', registrar: 'Example Registrar' },
  ],
  [
    '.pt, in two languages',
    [
      'Nome de domínio / Domain Name: example-shop.zz',
      'Data de registo / Creation Date (dd/mm/yyyy): 09/01/2003',
      'Data de expiração / Expiration Date (dd/mm/yyyy): 28/02/2028',
    ],
    { created: '2003-01-09', expires: '2028-02-28' },
  ],
  [
    '.nz until 2023',
    ['version: 8.0', 'domain_name: example-shop.zz', 'query_status: 200 Active', 'registrar_name: Example', 'ns_name_01: ns1.example.zz'],
    { created: '', registrar: 'Example', nameservers: ['ns1.example.zz'] },
  ],
  ['.lu', ['domainname: example-shop.zz', 'domaintype: ACTIVE', 'nserver: ns1.example.zz'], { nameservers: ['ns1.example.zz'] }],
  ['.hr', ['domain: example-shop.zz', 'descr: Example Shop d.o.o.', 'expires: 20280921'], { expires: '2028-09-21' }],
  [
    '.cl, which names no domain',
    [
      'Registrant name: Example Shop',
      'Registrar name: Example Registrar',
      'Creation date: 2002-10-22 17:48:23 CLST',
      'Name server: ns1.example.zz',
    ],
    { created: '2002-10-22', registrar: 'Example Registrar', nameservers: ['ns1.example.zz'] },
  ],
  [
    '.my, by letters',
    ['a [Domain Name]      example-shop.zz', 'c [Record Created]   13-MAY-2009', 'd [Record Expired]   13-MAY-2028'],
    { created: '2009-05-13', expires: '2028-05-13' },
  ],
  [
    '.ke, which repeats the question',
    ['Domain Information', 'Query: example-shop.zz', 'Status: Active', 'Created: 18 Apr 2003 00:00 EAT'],
    { created: '2003-04-18' },
  ],
  ['.tn', ['Domain:.............example-shop.zz', 'Activation:.........2016-08-30 13:54:12'], { created: '2016-08-30' }],
  ['.bo', ['Dominio: example-shop.zz', 'TITULAR:', 'Nombre: Example', '', 'Fecha de registro: 2006-08-22'], { created: '2006-08-22' }],
  [
    '.ch, in columns',
    [
      'Domain name\texample-shop.zz',
      '',
      'Registrar\tExample Registrar',
      '1 Example Street',
      'Phone +41 555 010 00',
      '',
      'DNSSEC\tyes',
      '',
      'Name servers',
      'ns1.example.zz\t192.0.2.1',
      'ns2.example.zz',
      '',
      'First registration date\t31 May 1999',
    ],
    { created: '1999-05-31', registrar: 'Example Registrar', dnssec: 'signed', nameservers: ['ns1.example.zz', 'ns2.example.zz'] },
  ],
  [
    '.ch, before its records',
    ['Domain name\texample-shop.zz', '', 'First registration date\tbefore 1 January 1996'],
    { created: '1996-01-01' },
  ],
  [
    '.sk until 2017',
    [
      'Domain-name         example-shop.zz',
      'Admin-id            EXAM-0001',
      'dns_name            ns1.example.zz',
      'Valid-date          2027-08-16',
    ],
    { expires: '2027-08-16', nameservers: ['ns1.example.zz'] },
  ],
  [
    '.kg, where the name has no colon',
    [
      'Domain EXAMPLE-SHOP.ZZ ',
      '',
      'Administrative Contact:',
      '   PID: 8386-ZZ',
      '   Name: Example Shop',
      '',
      'Record created: Tue Feb 10 09:42:42 2004',
      'Record last updated on:  Mon Apr 19 21:47:14 2010',
      'Record expires on: Sat Mar 30 23:59:00 2029',
      '',
      'Name servers in the listed order:',
      '',
      'NS1.EXAMPLE.ZZ ',
    ],
    { created: '2004-02-10', updated: '2010-04-19', expires: '2029-03-30', nameservers: ['ns1.example.zz'] },
  ],
  [
    '.tr until 2019, which names no domain',
    [
      '** Registrant:',
      '   Example Shop',
      '',
      '** Domain Servers:',
      'ns1.example.zz',
      '',
      '** Additional Info:',
      'Created on..............: 2001-Aug-23.',
      'Expires on..............: 2027-Aug-22.',
    ],
    { created: '2001-08-23', expires: '2027-08-22', nameservers: ['ns1.example.zz'] },
  ],
  [
    '.gg, in a sentence',
    ['Domain:', '     example-shop.zz', '', 'Relevant dates:', '     Registered on 30th April 2003 at 00:00:00.000'],
    { created: '2003-04-30' },
  ],
  [
    '.lk, with dots before the colon',
    ['Domain Name:', '\texample-shop.zz', '', 'Created on...............:2003-04-01'],
    { created: '2003-04-01' },
  ],
  [
    '.nc, with columns before the colon',
    ['Domain                   : example-shop.zz', 'Created on               : 2006-05-14'],
    { created: '2006-05-14' },
  ],
  [
    '.co.ca',
    [
      'domain: example-shop.zz',
      'date_approved: 2005-06-25 16:03:30',
      'date_renewal: 2027-06-25',
      'ns1_hostname: ns1.example.zz',
      'registrar: Example',
    ],
    { created: '2005-06-25', expires: '2027-06-25', nameservers: ['ns1.example.zz'], registrar: 'Example' },
  ],
  [
    '.priv.at, which tells who has changed it',
    ['domain:      example-shop.zz', 'descr:       Example Shop', 'changed:     hostmaster@example.zz 20021013', 'source:      PRIVAT'],
    { created: '', updated: '2002-10-13', owner_organization: 'Example Shop' },
  ],
  ['.sn', ['Nom de domaine:   example-shop.zz', 'Date de création: 2003-03-22T00:00:00Z'], { created: '2003-03-22' }],
])('a registered name in the form of %s', (_, lines, says) => {
  expect(read(lines)).toMatchObject({ kind: 'data', reading: says });
});

it('an answer that names another domain is not about ours, whatever it tells', () => {
  const other = ['Domain Name: other.zz', 'Creation Date: 2002-10-22', 'Registrar: Example', 'Name server: ns1.example.zz'];
  expect(kindOf(...other)).toBe('unreadable');
  expect(kindOf('Query: other.zz', ...other.slice(1))).toBe('unreadable');
});
