import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, createServer as createTlsServer, type SecureContextOptions, TLSSocket } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { STARTTLS } from '@vedette/probes/tcp';
import { makePki } from '../http/certificates.ts';
import { listen, rawServer } from '../http/raw-server.ts';
import { measured, octets, patterns } from './running.ts';

const pki = makePki({
  good: { names: 'DNS:a.test,IP:127.0.0.1' },
  other: { names: 'DNS:other.test' },
  old: { names: 'IP:127.0.0.1', until: '20250601000000Z' },
});
const ca = [pki.root];
const file = (name: string) => readFileSync(join(pki.folder, name));
const pair = (name: string) => ({ key: file(`${name}.key`), cert: file(`${name}.pem`) });
const context = createSecureContext(pair('good'));
afterAll(async () => {
  await patterns.close();
  pki[Symbol.dispose]();
});

/** What a server says, in turn: the greeting, and then one word after each of the client's, of which `go` is the last. */
interface Server {
  greeting: string;
  answers: readonly string[];
  go: string;
  /** What the client says, as it is on the wire. */
  client: readonly (string | RegExp)[];
}

/** A greeting of MySQL 8 whose server can do this: the lower two octets of its capabilities. */
const mysqlGreeting = (capabilities: string) => {
  const upper = '\xff\xdf';
  const body = `\x0a8.0.36\0\x01\0\0\0salt1234\0${capabilities}\x21\x02\0${upper}\x15${'\0'.repeat(10)}abcdefghijkl\0caching_sha2_password\0`;
  return `${String.fromCharCode(body.length)}\0\0\0${body}`;
};
const SERVERS: Record<(typeof STARTTLS)[number], Server> = {
  smtp: {
    greeting: '220-a.test ESMTP\r\n220 at your service\r\n',
    answers: ['250-a.test\r\n250-PIPELINING\r\n250-STARTTLS\r\n250 8BITMIME\r\n'],
    go: '220 2.0.0 Ready\r\n',
    client: ['EHLO [127.0.0.1]\r\n', 'STARTTLS\r\n'],
  },
  imap: {
    greeting: '* OK [ALERT] ready\r\n',
    answers: ['* CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED\r\n. OK done\r\n'],
    go: '. OK begin\r\n',
    client: ['. CAPABILITY\r\n', '. STARTTLS\r\n'],
  },
  pop3: { greeting: '+OK ready\r\n', answers: [], go: '+OK begin\r\n', client: ['STLS\r\n'] },
  ftp: { greeting: '220-hello\r\n 220 not yet\r\n220 ready\r\n', answers: [], go: '234 AUTH TLS OK.\r\n', client: ['AUTH TLS\r\n'] },
  ldap: {
    greeting: '',
    answers: [],
    go: '\x30\x0c\x02\x01\x01\x78\x07\x0a\x01\x00\x04\x00\x04\x00',
    client: ['\x30\x1d\x02\x01\x01\x77\x18\x80\x161.3.6.1.4.1.1466.20037'],
  },
  xmpp: {
    greeting: '',
    answers: [
      "<?xml version='1.0'?><stream:stream xmlns='jabber:client' id='1' version='1.0'><stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></stream:features>",
    ],
    go: "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
    client: [/^<stream:stream .* to='a\.test' version='1\.0'>$/, "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"],
  },
  postgres: { greeting: '', answers: [], go: 'S', client: ['\0\0\0\x08\x04\xd2\x16\x2f'] },
  mysql: { greeting: mysqlGreeting('\xff\xff'), answers: [], go: '', client: [/^\x20\0\0\x01.{4}\0\0\0\x01\x21\0{23}$/s] }, // oxlint-disable-line no-control-regex -- octets
};

/** Speaks a server's part in pieces of a few octets, then TLS; `words` and `within` have what the client says in both. */
function speaking({ greeting, answers, go }: Server, words: string[], within: string[], behind = '') {
  return (socket: Socket) => {
    const say = (text: string) => void (text !== '' && socket.write(text, 'latin1'));
    const next = [...answers];
    say(greeting);
    const onData = (chunk: Buffer) => {
      // A client of MySQL waits for no word: its ClientHello may come in the same piece.
      const own = go === '' ? chunk.subarray(0, 36) : chunk;
      words.push(own.toString('latin1'));
      const answer = next.shift();
      if (answer !== undefined) return say(answer);
      socket.off('data', onData);
      socket.removeAllListeners('data');
      socket.pause();
      if (own.length < chunk.length) socket.unshift(chunk.subarray(own.length));
      say(go + behind);
      const secure = new TLSSocket(socket, { isServer: true, secureContext: context });
      secure.on('error', () => {}).on('data', (text: Buffer) => within.push(text.toString()));
    };
    socket.on('data', onData);
  };
}

const HOSTS = { hosts: { 'a.test': ['127.0.0.1'] }, ca };

describe.each(STARTTLS)('STARTTLS of %s', (protocol) => {
  const server = SERVERS[protocol];

  it('is asked for as the protocol wants, and TLS begins', async () => {
    const [words, within]: [string[], string[]] = [[], []];
    await using running = await rawServer(speaking(server, words, within));
    const result = await measured(running.port, { host: 'a.test', starttls: protocol }, HOSTS);
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({
      state: 'open',
      tls: { version: 'TLSv1.3', cipher_suite: expect.stringMatching(/^TLS_/), group: expect.stringMatching(/X25519/), alpn: '' },
      certificate: { valid: true, error: '', names: 'a.test', subject: 'CN=good' },
    });
    // A piece may come alone or with the next one: what counts are the octets.
    const [last] = server.client.slice(-1);
    expect(words.at(-1)).toMatch(last instanceof RegExp ? last : new RegExp(`^${RegExp.escape(last!)}`));
    expect(words).toHaveLength(server.client.length);
    expect(result.banner === '').toBe(server.greeting + server.answers.join('') + server.go === '');
    expect(within.join('')).toMatch(/^(QUIT\r\n|\. LOGOUT\r\n|<\/stream:stream>)?$/);
  });

  it('is an error with plaintext behind the word by which TLS begins', async () => {
    if (server.go === '') return; // MySQL's server says none
    await using running = await rawServer(speaking(server, [], [], 'injected'));
    const result = await measured(running.port, { host: 'a.test', starttls: protocol }, HOSTS);
    expect(result).toMatchObject({ reason: 'starttls_failed', error: expect.stringContaining('plaintext behind the switch: injected') });
    expect(result.tls).toBeUndefined();
  });

  it('ends in words where the server closes, says something else, or nothing', async () => {
    const failed = async (behave: (socket: Socket) => void) => {
      await using running = await rawServer(behave);
      const { reason, tls, state } = await measured(running.port, { host: 'a.test', starttls: protocol }, { ...HOSTS, budget_ms: 600 });
      return { reason, tls, state };
    };
    const all = await Promise.all([
      failed((socket) => socket.end()),
      failed((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
      failed((socket) => socket.write('\xff'.repeat(20_000), 'latin1')),
      failed(() => {}),
    ]);
    expect(all).toEqual(all.map(() => ({ reason: 'starttls_failed', tls: undefined, state: 'open' })));
  });
});

describe('a server without STARTTLS', () => {
  it.each<[(typeof STARTTLS)[number], string, readonly string[], string]>([
    ['smtp', '220 a.test\r\n', ['250-a.test\r\n250 8BITMIME\r\n'], 'STARTTLS is not among'],
    ['smtp', '554 go away\r\n', [], 'the greeting: 554 go away'],
    ['smtp', '220 a.test\r\n', ['250 STARTTLS\r\n', '454 no\r\n'], 'the answer to STARTTLS: 454 no'],
    ['imap', '* OK\r\n', ['* CAPABILITY IMAP4rev1\r\n. OK\r\n'], 'STARTTLS is not among'],
    ['imap', '* PREAUTH you\r\n', [], 'the greeting: * PREAUTH'],
    ['pop3', '+OK\r\n', ['-ERR no\r\n'], 'the answer to STLS: -ERR no'],
    ['ftp', '220\r\n', ['530 no\r\n'], 'the answer to AUTH TLS: 530 no'],
    ['ldap', '', ['\x30\x0c\x02\x01\x01\x78\x07\x0a\x01\x02\x04\x00\x04\x00'], 'resultCode 2'],
    ['xmpp', '', ['<stream:stream><stream:features></stream:features>'], 'starttls is not among'],
    ['xmpp', '', [SERVERS.xmpp.answers[0]!, "<failure xmlns='x'/></stream:stream>"], 'the answer to starttls: <failure'],
    ['postgres', '', ['N'], 'the server offers no TLS'],
    ['postgres', '', ['EFATAL'], 'the answer to SSLRequest: EFATAL'],
    ['mysql', mysqlGreeting('\xff\xf7'), [], 'the server offers no TLS'],
    ['mysql', '\x0f\0\0\0\xff\x6a\x04Host blocked', [], 'the greeting: Host blocked'],
  ])('is named: %s, %j, %j', async (starttls, greeting, answers, error) => {
    await using running = await rawServer((socket) => {
      const next = [...answers];
      socket.write(greeting, 'latin1');
      socket.on('data', () => socket.write(next.shift() ?? '', 'latin1'));
    });
    const result = await measured(running.port, { host: 'a.test', starttls }, { ...HOSTS, budget_ms: 2_000 });
    expect(result).toMatchObject({ reason: 'starttls_failed', error: expect.stringContaining(error), state: 'open' });
  });
});

describe('TLS at once', () => {
  const VERSIONS = [
    ['TLSv1', 'tls1'],
    ['TLSv1.1', 'tls1_1'],
    ['TLSv1.2', 'tls1_2'],
    ['TLSv1.3', 'tls1_3'],
  ] as const;

  it.each(VERSIONS)('is %s where the server has no other, as openssl sees it', async (version, option) => {
    const server = createTlsServer({ ...pair('good'), minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }, (socket) =>
      socket.end('hi'),
    );
    await using running = await listen(server);
    const { tls, certificate, banner, warnings } = await measured(running.port, { tls: {} }, { ca }).then((result) => ({
      ...result,
      warnings: result.tls?.warnings,
    }));
    const args = [
      's_client',
      '-connect',
      `127.0.0.1:${running.port}`,
      `-${option}`,
      '-cipher',
      'DEFAULT@SECLEVEL=0',
      '-CAfile',
      join(pki.folder, 'ca-root.pem'),
    ];
    const asked = promisify(execFile)('openssl', args);
    asked.child.stdin!.end();
    const theirs = (await asked).stdout;
    expect(tls?.version).toBe(version);
    expect(theirs).toMatch(new RegExp(`(New, |Protocol *: )${version === 'TLSv1' ? 'TLSv1(.0)?' : version.replace('.', '\\.')}`));
    expect(theirs).toContain('Verify return code: 0 (ok)');
    expect(certificate).toMatchObject({ valid: true, error: '' });
    const fingerprint = execFileSync('openssl', [
      'x509',
      '-noout',
      '-fingerprint',
      '-sha256',
      '-in',
      join(pki.folder, 'good.pem'),
    ]).toString();
    expect(fingerprint.trim().replaceAll(':', '').toLowerCase()).toContain(certificate!.fingerprint_sha256);
    // Below TLS 1.3 openssl has names of its own.
    expect(version !== 'TLSv1.3' || theirs.includes(`Cipher is ${tls!.cipher_suite}`)).toBe(true);
    expect(banner).toBe('hi');
    expect(warnings!.map((warning) => warning.includes('is deprecated'))).toEqual(version < 'TLSv1.2' ? [true] : []);
  });

  it('has the verdict on a certificate, and goes on', async () => {
    for (const [name, error] of [
      ['other', 'is for other.test, not for 127.0.0.1'],
      ['old', 'has expired'],
    ] as const) {
      await using running = await listen(createTlsServer(pair(name), (socket) => socket.write('still here')));
      expect(await measured(running.port, { tls: {} }, { ca })).toMatchObject({
        state: 'open',
        banner: 'still here',
        certificate: { valid: false, error: expect.stringContaining(error) },
      });
      expect(await measured(running.port, { tls: { verify: true } }, { ca })).toMatchObject({ reason: 'tls_cert_invalid', banner: '' });
    }
  });

  it('chooses by ALPN, has the group, and sends what it is told to', async () => {
    const received: string[] = [];
    const server = createTlsServer({ ...pair('good'), ALPNProtocols: ['http/1.1'], ecdhCurve: 'P-384' }, (socket) =>
      socket.on('data', (chunk) => {
        received.push(chunk.toString());
        socket.end('HTTP/1.0 200 OK\r\n\r\n');
      }),
    );
    await using running = await listen(server);
    const result = await measured(
      running.port,
      { tls: { alpn: ['h2', 'http/1.1'] }, send: octets('HEAD / HTTP/1.0\r\n\r\n'), expect: '^HTTP/1.. 200' },
      { ca },
    );
    expect(result).toMatchObject({
      tls: { alpn: 'http/1.1', group: 'P-384' },
      expect_matched: true,
      response: 'HTTP/1.0 200 OK\\r\\n\\r\\n',
    });
    expect(received).toEqual(['HEAD / HTTP/1.0\r\n\r\n']);
  });

  it('fails in words at a server that does not speak it', async () => {
    await using running = await rawServer((socket) => socket.write('220 plain\r\n'));
    expect(await measured(running.port, { tls: {} })).toMatchObject({ state: 'open', reason: 'tls_handshake' });
  });

  it('has the terms of a job: versions, roots and a certificate of the client', async () => {
    const terms = (more: SecureContextOptions = {}) => ({ ...pair('good'), ...more });
    await using old = await listen(
      createTlsServer({ ...terms(), minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    );
    expect(await measured(old.port, { tls: { terms: {} } }, { ca })).toMatchObject({ reason: 'tls_handshake' });
    expect(await measured(old.port, { tls: { terms: { min_version: 'TLSv1' } } }, { ca })).toMatchObject({ tls: { version: 'TLSv1.1' } });
    await using asking = await listen(
      createTlsServer({ ...terms({ ca: pki.root }), requestCert: true, rejectUnauthorized: true }, (socket) => socket.end('welcome')),
    );
    const own = {
      roots: pki.root,
      certificate: file('other.pem').toString(),
      key: file('other.key').toString(),
      max_version: 'TLSv1.2' as const,
    };
    expect(await measured(asking.port, { tls: { terms: own } })).toMatchObject({
      banner: 'welcome',
      tls: { version: 'TLSv1.2' },
      certificate: { valid: true },
    });
    expect(await measured(asking.port, { tls: { terms: { roots: 'nothing' } } })).toMatchObject({ reason: 'unsupported' });
  });
});
