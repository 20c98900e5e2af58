import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readWhoisDomain } from '@vedette/intel/registration';
import { UNKNOWN_DOMAIN } from '../../registries/unknown.ts';

const FOLDER = new URL('answers/', import.meta.url);
const NOW = new Date('2026-11-21T00:00:00Z');
const answer = (file: string): string => readFileSync(new URL(`${file}.txt`, FOLDER), 'utf8');
const read = (text: string, name: string) => readWhoisDomain(text, name, NOW);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const ns = (name: string) => [`ns1.${name}`, `ns2.${name}`];

/** What a format that says no more of it leaves empty. */
const { state: _state, answered: _answered, problem: _problem, retry_after_s: _retry, ...EMPTY } = UNKNOWN_DOMAIN;
const NOTHING = { ...EMPTY, reserved: false, describesOwner: false, related: '' };

/** One row per format: what its answer in `answers/` says. */
const FORMATS: Record<string, { name: string; says: Record<string, unknown> }> = {
  'verisign-thin': {
    name: 'example-shop.com',
    says: {
      created: '1997-09-15',
      updated: '2025-09-09',
      expires: '2028-09-14',
      registrar: 'Example Registrar, Inc.',
      registrar_url: 'http://www.registrar.example',
      registrar_abuse_email: 'abuse@registrar.example',
      registrar_iana_id: '9999',
      dnssec: 'unsigned',
    },
  },
  'icann-registrar': {
    name: 'example-shop.com',
    says: {
      describesOwner: true,
      created: '1997-09-15',
      updated: '2025-09-09',
      expires: '2028-09-14',
      registrar: 'Example Registrar, Inc.',
      registrar_url: 'https://www.registrar.example',
      registrar_abuse_email: 'abuse@registrar.example',
      registrar_iana_id: '9999',
      owner_organization: 'Example Shop LLC',
      owner_country: 'US',
      owner_state_province: 'OR',
      owner_email_hash: sha256('hostmaster@example-shop.com'),
      owner_email_domain: 'example-shop.com',
      dnssec: 'unsigned',
    },
  },
  uk: {
    name: 'example-shop.co.uk',
    says: {
      created: '1996-08-01',
      updated: '2025-12-17',
      expires: '2027-12-17',
      registrar: 'Example Hosting Ltd t/a Example',
      registrar_url: 'https://www.hosting.example',
    },
  },
  de: { name: 'example-shop.de', says: { updated: '2024-03-12', nameservers: ['ns1.example-shop.de', 'ns2.example.net'] } },
  kr: {
    name: 'example-shop.kr',
    says: {
      describesOwner: true,
      created: '2007-03-02',
      updated: '2020-10-04',
      expires: '2027-03-02',
      registrar: 'Example Registrar Corp.',
      owner_organization: 'Example Shop Co., Ltd.',
      dnssec: 'unsigned',
    },
  },
  jp: {
    name: 'example-shop.jp',
    says: {
      describesOwner: true,
      created: '2001-03-26',
      updated: '2026-04-01',
      expires: '2027-03-31',
      owner_organization: 'Example Shop Corporation',
    },
  },
  'co-jp': {
    name: 'example-shop.co.jp',
    says: { describesOwner: true, created: '1998-03-18', updated: '2026-04-01', owner_organization: 'Example Shop Corporation' },
  },
  br: {
    name: 'example-shop.com.br',
    says: {
      describesOwner: true,
      created: '1999-04-12',
      updated: '2025-02-20',
      expires: '2027-04-12',
      owner_organization: 'Exemplo Comércio Ltda.',
      owner_country: 'BR',
      owner_email_hash: sha256('dominios@example-shop.com.br'),
      owner_email_domain: 'example-shop.com.br',
      dnssec: 'signed',
    },
  },
  it: {
    name: 'example-shop.it',
    says: {
      describesOwner: true,
      created: '1999-10-12',
      updated: '2025-10-28',
      expires: '2027-10-12',
      registrar: 'Example Registrar S.p.A.',
      registrar_url: 'http://www.registrar.example',
      owner_organization: 'Example Shop S.r.l.',
      dnssec: 'unsigned',
    },
  },
  pl: {
    name: 'example-shop.pl',
    says: {
      created: '1999-03-05',
      updated: '2026-02-17',
      expires: '2027-03-04',
      registrar: 'Example Registrar sp. z o.o.',
      dnssec: 'unsigned',
    },
  },
  fr: {
    name: 'example-shop.fr',
    says: {
      describesOwner: true,
      created: '1998-02-20',
      updated: '2026-01-01',
      expires: '2027-10-01',
      registrar: 'EXAMPLE REGISTRAR',
      registrar_url: 'http://www.registrar.example',
      dnssec: 'signed',
      owner_organization: 'Example Shop SAS',
      owner_country: 'FR',
      owner_email_hash: sha256('domaines@example-shop.fr'),
      owner_email_domain: 'example-shop.fr',
    },
  },
  eu: {
    name: 'example-shop.eu',
    says: { describesOwner: true, hidden: true, registrar: 'Example Registrar GmbH', registrar_url: 'https://www.registrar.example' },
  },
  nl: {
    name: 'example-shop.nl',
    says: {
      created: '1999-06-07',
      updated: '2025-11-10',
      registrar: 'Example Hosting B.V.',
      registrar_abuse_email: 'abuse@hosting.example',
      dnssec: 'signed',
    },
  },
  se: {
    name: 'example-shop.se',
    says: {
      describesOwner: true,
      hidden: true,
      created: '1998-04-16',
      updated: '2026-03-05',
      expires: '2026-12-31',
      registrar: 'Example Registrar AB',
      dnssec: 'signed',
    },
  },
  tr: {
    name: 'example-shop.com.tr',
    says: {
      describesOwner: true,
      created: '2001-08-23',
      expires: '2027-08-22',
      registrar: 'Example Registrar Bilisim A.S.',
      owner_organization: 'Example Ticaret A.S.',
    },
  },
  ua: {
    name: 'example-shop.com.ua',
    says: {
      describesOwner: true,
      created: '2002-12-04',
      updated: '2025-10-14',
      expires: '2027-12-04',
      registrar: 'Example Registrar LLC',
      registrar_url: 'http://registrar.example',
      registrar_abuse_email: 'abuse@registrar.example',
      owner_organization: 'Example Shop LLC',
      owner_country: 'UA',
      owner_email_hash: sha256('hostmaster@example-shop.com.ua'),
      owner_email_domain: 'example-shop.com.ua',
    },
  },
  ru: {
    name: 'example-shop.ru',
    says: { describesOwner: true, created: '1999-09-23', expires: '2027-09-30', registrar: 'EXAMPLE-RU', hidden: true },
  },
  cn: {
    name: 'example-shop.cn',
    says: {
      describesOwner: true,
      created: '2003-03-17',
      expires: '2027-03-17',
      registrar: 'Example Registrar (Beijing) Co., Ltd.',
      owner_organization: '示例科技有限公司',
      owner_email_hash: sha256('dns@example-shop.cn'),
      owner_email_domain: 'example-shop.cn',
      dnssec: 'unsigned',
    },
  },
  au: {
    name: 'example-shop.com.au',
    says: {
      describesOwner: true,
      updated: '2026-06-01',
      registrar: 'Example Registrar Pty Ltd',
      registrar_abuse_email: 'abuse@registrar.example',
      owner_organization: 'EXAMPLE SHOP PTY LTD',
      dnssec: 'unsigned',
    },
  },
  be: {
    name: 'example-shop.be',
    says: {
      describesOwner: true,
      hidden: true,
      created: '2000-12-12',
      registrar: 'Example Registrar BV',
      registrar_url: 'https://www.registrar.example',
      dnssec: 'signed',
    },
  },
  cz: {
    name: 'example-shop.cz',
    says: {
      describesOwner: true,
      created: '1999-09-06',
      updated: '2024-10-02',
      expires: '2027-09-07',
      registrar: 'REG-EXAMPLE',
      owner_organization: 'Example Shop s.r.o.',
    },
  },
  fi: {
    name: 'example-shop.fi',
    says: {
      describesOwner: true,
      created: '1999-01-01',
      updated: '2025-07-30',
      expires: '2027-08-31',
      registrar: 'Example Registrar Oy',
      registrar_url: 'https://www.registrar.example',
      owner_organization: 'Example Shop Oy',
      owner_country: 'FI',
      dnssec: 'unsigned',
    },
  },
  dk: {
    name: 'example-shop.dk',
    says: { created: '1999-01-10', expires: '2027-03-31', registrar: 'Example Registrar ApS', dnssec: 'unsigned' },
  },
  at: {
    name: 'example-shop.at',
    says: {
      describesOwner: true,
      updated: '2011-04-26',
      registrar: 'Example Registrar GmbH',
      owner_organization: 'Example Shop GmbH',
      owner_country: 'AT',
      owner_email_hash: sha256('domains@example-shop.at'),
      owner_email_domain: 'example-shop.at',
    },
  },
  tw: {
    name: 'example-shop.com.tw',
    says: {
      describesOwner: true,
      created: '2000-08-29',
      expires: '2027-11-09',
      registrar: 'Example Registrar Inc.',
      registrar_url: 'http://www.registrar.example/',
      owner_organization: 'Example Shop Ltd.',
    },
  },
  il: {
    name: 'example-shop.co.il',
    says: {
      describesOwner: true,
      created: '1999-06-05',
      expires: '2027-06-05',
      registrar: 'Example Registrar Ltd',
      registrar_url: 'https://www.registrar.example',
      owner_organization: 'Example Shop Ltd.',
      dnssec: 'unsigned',
    },
  },
  'uk-direct': {
    name: 'example-shop.org.uk',
    says: {
      describesOwner: true,
      created: '1999-02-14',
      updated: '2026-02-06',
      owner_organization: 'Example Shop Limited',
      dnssec: 'signed',
    },
  },
  hk: {
    name: 'example-shop.hk',
    says: { created: '2004-03-12', expires: '2027-03-13', registrar: 'Example Registrar Limited', dnssec: 'unsigned' },
  },
};

describe('a WHOIS answer of', () => {
  it.each(Object.entries(FORMATS))('%s', (file, { name, says }) => {
    const found = read(answer(file), name);
    expect(found).toMatchObject({ kind: 'data', reading: { ...NOTHING, nameservers: ns(name), ...says } });
  });
});

const VERDICTS: [file: string, name: string, kind: string][] = [
  ['verisign-none', 'example-shop.com', 'unregistered'],
  ['uk-none', 'example-shop.co.uk', 'unregistered'],
  ['de-free', 'example-shop.de', 'unregistered'],
  ['it-free', 'example-shop.it', 'unregistered'],
  ['se-none', 'example-shop.se', 'unregistered'],
];

it.each(VERDICTS)('%s says that %s is %s', (file, name, kind) => {
  expect(read(answer(file), name)).toMatchObject({ kind });
});

it('every answer in the folder is read by a row', () => {
  const rows = [...Object.keys(FORMATS), ...VERDICTS.map(([file]) => file), 'iana'].map((file) => `${file}.txt`);
  expect(readdirSync(FOLDER).toSorted()).toEqual(rows.toSorted());
});
