import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { makePki, type Pki } from '../probes/http/certificates.ts';
import { listen } from '../probes/http/raw-server.ts';

/** An RDAP object, or what a server does with the request. */
export type FakeRdap = object | ((response: ServerResponse) => void);
/** The text of an answer, or what a server does with the connection once it was asked. */
export type FakeWhois = (query: string) => string | Buffer | ((socket: Socket) => void);

/** Where the fake servers are, for answers that lead from one to another. */
export interface FakeServers {
  /** Base URLs of RDAP servers. */
  registry: string;
  registrar: string;
  /** `address:port` of WHOIS servers. */
  whoisRegistry: string;
  whoisRegistrar: string;
}

export interface FakeAnswers {
  /** RDAP objects by path below the base, such as `domain/example-shop.com`; what is not there is a 404. */
  registry?: Record<string, FakeRdap>;
  registrar?: Record<string, FakeRdap>;
  /** What the bootstrap gives to the registry. */
  suffixes?: readonly string[];
  autnums?: readonly string[];
  /** The server where referral starts; by default it refers everything to `whoisRegistry`. */
  whoisRoot?: FakeWhois;
  whoisRegistry?: FakeWhois;
  whoisRegistrar?: FakeWhois;
}

export interface FakeRegistries extends AsyncDisposable, FakeServers {
  /** For VEDETTE_RDAP_BOOTSTRAP and VEDETTE_WHOIS_SERVER; both on 127.0.0.0/8, for VEDETTE_ALLOW_NETS. */
  bootstrap: string;
  whois: string;
  /** The root of their certificates, as PEM, and its file, for VEDETTE_CA_FILE. */
  ca: string;
  caFile: string;
  /** Every question, in order: `registry /domain/example-shop.com`, `whois root example-shop.zz`. */
  asked: string[];
}

/** IANA's bootstrap, a registry and a registrar over RDAP with TLS, and the same three over WHOIS, on loopback addresses of their own. */
export async function startFakeRegistries(answers: (at: FakeServers) => FakeAnswers): Promise<FakeRegistries> {
  await using opened = new AsyncDisposableStack();
  const pki = sharedPki();
  const asked: string[] = [];
  let known: FakeAnswers = {};
  const rdap = async (server: string, address: string, find: (path: string) => FakeRdap | undefined) => {
    const credentials = { key: readFileSync(join(pki.folder, 'server.key')), cert: readFileSync(join(pki.folder, 'server.pem')) };
    const https = createHttpsServer(credentials, (request, response) => {
      const path = request.url ?? '/';
      asked.push(`${server} ${path}`);
      const answer = find(decodeURI(path.slice(1)));
      if (typeof answer === 'function') return answer(response);
      response.setHeader('content-type', 'application/rdap+json');
      response.statusCode = answer ? 200 : 404;
      response.end(answer ? JSON.stringify(answer) : '');
    });
    const { port } = opened.use(await listen(https, address));
    return `https://${address}:${port}/`;
  };
  const whois = async (server: string, address: string, answerOf: () => FakeWhois) => {
    const tcp = createServer((socket) => {
      socket.on('error', () => {}); // the client may leave at any time
      socket.once('data', (chunk) => {
        const query = chunk.toString('latin1').trim();
        asked.push(`whois ${server} ${query}`);
        const answer = answerOf()(query);
        if (typeof answer === 'function') answer(socket);
        else socket.end(answer);
      });
    });
    const { port } = opened.use(await listen(tcp, address));
    return `${address}:${port}`;
  };
  const registry = await rdap('registry', '127.0.0.1', (path) => known.registry?.[path]);
  const registrar = await rdap('registrar', '127.0.0.2', (path) => known.registrar?.[path]);
  const services = (keys: readonly string[] = []) => ({ version: '1.0', services: [[keys, [registry]]] });
  const bootstrap = await rdap('bootstrap', '127.0.0.3', (path) =>
    path === 'dns.json' ? services(known.suffixes) : path === 'asn.json' ? services(known.autnums) : undefined,
  );
  const whoisRegistry = await whois('registry', '127.0.0.2', () => known.whoisRegistry ?? (() => ''));
  const whoisRegistrar = await whois('registrar', '127.0.0.3', () => known.whoisRegistrar ?? (() => ''));
  const root = await whois('root', '127.0.0.1', () => known.whoisRoot ?? (() => `refer: ${whoisRegistry}\n`));
  const at = { registry, registrar, whoisRegistry, whoisRegistrar };
  known = answers(at);
  const all = opened.move();
  return {
    ...at,
    bootstrap: bootstrap.slice(0, -1),
    whois: root,
    ca: pki.root,
    caFile: join(pki.folder, 'ca-root.pem'),
    asked,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

let made: Pki | undefined;
/** One for all fake servers of a process: openssl takes longer than most tests. */
function sharedPki(): Pki {
  if (made) return made;
  made = makePki({ server: { names: 'IP:127.0.0.1,IP:127.0.0.2,IP:127.0.0.3' } }, 'registries');
  process.once('exit', () => made?.[Symbol.dispose]());
  return made;
}

const card = (...properties: unknown[][]) => ['vcard', [['version', {}, 'text', '4.0'], ...properties]];

interface FakeDomain {
  created?: string;
  /** Where the registrar's own answer is. */
  related?: string;
  registrant?: unknown;
  more?: object;
}

/** A registered domain in the form of the large registries. */
export const rdapDomain = (name: string, { created = '1997-09-15T04:00:00Z', related, registrant, more }: FakeDomain = {}) => ({
  objectClassName: 'domain',
  handle: '1000001_DOMAIN_COM-VRSN',
  ldhName: name.toUpperCase(),
  links: [
    {
      value: `https://registry.example/domain/${name}`,
      rel: 'self',
      href: `https://registry.example/domain/${name}`,
      type: 'application/rdap+json',
    },
    ...(related === undefined ? [] : [{ value: related, rel: 'related', href: related, type: 'application/rdap+json' }]),
  ],
  status: ['client transfer prohibited'],
  entities: [
    {
      objectClassName: 'entity',
      handle: '9999',
      roles: ['registrar'],
      publicIds: [{ type: 'IANA Registrar ID', identifier: '9999' }],
      vcardArray: card(['fn', {}, 'text', 'Example Registrar, Inc.']),
      links: [{ rel: 'about', href: 'https://www.registrar.example', type: 'text/html' }],
      entities: [
        {
          objectClassName: 'entity',
          roles: ['abuse'],
          vcardArray: card(
            ['fn', {}, 'text', ''],
            ['tel', { type: 'voice' }, 'uri', 'tel:+1.5555550100'],
            ['email', {}, 'text', 'abuse@registrar.example'],
          ),
        },
      ],
    },
    ...(registrant === undefined ? [] : [registrant]),
  ],
  events: [
    { eventAction: 'registration', eventDate: created },
    { eventAction: 'expiration', eventDate: '2028-09-14T04:00:00Z' },
    { eventAction: 'last changed', eventDate: '2025-09-09T15:39:04Z' },
    { eventAction: 'last update of RDAP database', eventDate: '2026-11-20T10:00:00Z' },
  ],
  secureDNS: { delegationSigned: false },
  nameservers: [
    { objectClassName: 'nameserver', ldhName: `NS1.${name.toUpperCase()}` },
    { objectClassName: 'nameserver', ldhName: `NS2.${name.toUpperCase()}.` },
  ],
  rdapConformance: ['rdap_level_0', 'icann_rdap_technical_implementation_guide_0'],
  ...more,
});

/** A registrant as registrars describe one. */
export const rdapRegistrant = (email = 'Hostmaster@Example-Shop.com', organization = 'Example Shop LLC') => ({
  objectClassName: 'entity',
  handle: 'R-1',
  roles: ['registrant'],
  vcardArray: card(
    ['fn', {}, 'text', 'Jo Doe'],
    ['org', { type: 'work' }, 'text', organization],
    ['adr', { cc: 'US' }, 'text', ['', '', '1 Example Street', 'Springfield', 'OR', '97477', '']],
    ['email', {}, 'text', email],
  ),
});

/** An autonomous system in RIPE's form: the abuse contact stands inside its organisation. */
export const rdapAutnum = (asn: number, more: object = {}) => ({
  objectClassName: 'autnum',
  handle: `AS${asn}`,
  startAutnum: asn,
  endAutnum: asn,
  name: 'EXAMPLE-AS',
  type: 'DIRECT ALLOCATION',
  status: ['active'],
  port43: 'whois.ripe.net',
  entities: [
    {
      objectClassName: 'entity',
      handle: 'ORG-EX1-RIPE',
      roles: ['registrant'],
      vcardArray: card(
        ['fn', {}, 'text', 'Example Networks B.V.'],
        ['kind', {}, 'text', 'org'],
        ['adr', { label: 'Voorbeeldstraat 1\n1000AA\nAmsterdam\nNETHERLANDS' }, 'text', ['', '', '', '', '', '', '']],
      ),
      entities: [
        {
          objectClassName: 'entity',
          handle: 'AR1-RIPE',
          roles: ['abuse'],
          vcardArray: card(
            ['fn', {}, 'text', 'Abuse desk'],
            ['kind', {}, 'text', 'group'],
            ['email', { type: 'abuse' }, 'text', 'abuse@example-networks.example'],
          ),
        },
      ],
    },
  ],
  events: [
    { eventAction: 'registration', eventDate: '2003-05-12T10:20:30Z' },
    { eventAction: 'last changed', eventDate: '2024-02-29T08:00:00Z' },
  ],
  rdapConformance: ['rdap_level_0', 'nro_rdap_profile_0'],
  ...more,
});
