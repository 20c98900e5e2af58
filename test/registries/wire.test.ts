import { createAddressPolicy, isBadPort } from '@vedette/probes/host';
import { describe, expect, it } from 'vitest';
import { createDialler, systemClock } from '@vedette/probes/net';
import { askRdap, askWhois } from '@vedette/probes/registry';
import { hostsResolver } from '../probes/http/loopback-ports.ts';
import { rawServer } from '../probes/http/raw-server.ts';
import { startFakeRegistries, type FakeRdap, type FakeWhois } from './fake-registries.ts';

const ports = {
  resolver: hostsResolver({ 'whois.inner.example': ['10.0.0.7'], 'whois.nic.example': ['127.0.0.2'], 'alias.example': ['127.0.0.2'] }),
  dialler: createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) }),
  clock: systemClock,
  userAgent: 'test',
  signal: new AbortController().signal,
  isDenied: (host: string) => host === 'alias.example',
};
const [MEGABYTE, DEPTH] = [1024 * 1024, 100_000];

describe('an RDAP server', () => {
  async function ask(answer: FakeRdap | undefined) {
    await using servers = await startFakeRegistries(() => ({ registry: answer ? { object: answer } : {} }));
    const question = { url: `${servers.registry}object`, timeout_ms: 5_000, schemes: ['https:'] as const };
    return await askRdap(question, { ...ports, ca: [servers.ca] });
  }

  it('answers with an object, with none, and with a status', async () => {
    expect(await ask({ objectClassName: 'domain' })).toMatchObject({ status: 200, json: { objectClassName: 'domain' }, isPage: false });
    expect(await ask(undefined)).toMatchObject({ status: 404, json: undefined, isPage: false });
    expect(await ask((response) => response.writeHead(404).end('<!DOCTYPE html><title>404</title>'))).toMatchObject({
      status: 404,
      isPage: true,
    });
    expect(await ask((response) => response.writeHead(429, { 'retry-after': '17' }).end())).toMatchObject({
      status: 429,
      retryAfter: '17',
    });
  });

  it('that leads inside, or away from TLS, is not followed', async () => {
    const leading = (location: string) => ask((response) => response.writeHead(302, { location }).end());
    await expect(leading('https://10.0.0.1/domain/a')).rejects.toMatchObject({ code: 'blocked_private_address' });
    await expect(leading('https://[fd00::1]/')).rejects.toMatchObject({ code: 'blocked_private_address' });
    await expect(leading('http://127.0.0.1/')).rejects.toMatchObject({ code: 'blocked_policy' });
    await expect(leading('https://whois.inner.example/')).rejects.toMatchObject({ code: 'blocked_private_address' });
  });

  it('is believed with its own certificate only', async () => {
    await using servers = await startFakeRegistries(() => ({}));
    const question = { url: `${servers.registry}object`, timeout_ms: 5_000, schemes: ['https:'] as const };
    await expect(askRdap(question, { ...ports, ca: [] })).rejects.toMatchObject({ code: 'tls_cert_invalid' });
  });

  it('that sends 50 MB is read to the first', async () => {
    let sent = 0;
    const endless = ask((response) => {
      response.writeHead(200, { 'content-type': 'application/rdap+json' });
      const send = () => {
        while (sent < 50 * MEGABYTE && !response.destroyed) {
          sent += MEGABYTE / 4;
          if (!response.write(`{"a":"${'x'.repeat(MEGABYTE / 4)}"},`)) return void response.once('drain', send);
        }
        response.end();
      };
      send();
    });
    await expect(endless).rejects.toMatchObject({ code: 'too_large' });
    expect(sent).toBeLessThan(20 * MEGABYTE);
  });

  it.each([
    ['lists', '['.repeat(DEPTH) + ']'.repeat(DEPTH)],
    ['objects', `${'{"entities":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`],
    ['lists that do not end', '['.repeat(DEPTH)],
  ])('that nests %s 100,000 deep is not read', async (_, body) => {
    await expect(ask((response) => response.end(body))).rejects.toMatchObject({ code: 'too_large' });
  });

  it('may write brackets in texts', async () => {
    const text = `${'['.repeat(200)}\\"{{{{"`;
    expect(await ask({ text })).toMatchObject({ json: { text } });
  });

  it.each(['not JSON', '', '{"a":1', '\u0000'])('that sends %j with a 200 has not answered', async (body) => {
    await expect(ask((response) => response.end(body))).rejects.toMatchObject({ code: 'http_protocol' });
  });
});

describe('a WHOIS server', () => {
  async function ask(answer: FakeWhois, timeout_ms = 5_000) {
    await using servers = await startFakeRegistries(() => ({ whoisRoot: answer }));
    const [host, port] = servers.whois.split(':');
    return await askWhois({ server: { host: host!, port: Number(port) }, query: 'a.example', timeout_ms }, ports);
  }

  it('is asked in one line, and heard until it closes', async () => {
    expect(await ask((query) => `asked: ${query}\r\nb: 1\rc: 2\n`)).toBe('asked: a.example\nb: 1\nc: 2\n');
    expect(await ask(() => '')).toBe('');
  });

  it('may answer in UTF-8 or one byte a character', async () => {
    expect(await ask(() => Buffer.from('owner: Exemplo Comércio', 'utf8'))).toBe('owner: Exemplo Comércio');
    expect(await ask(() => Buffer.from('owner: Exemplo Comércio', 'latin1'))).toBe('owner: Exemplo Comércio');
  });

  it('says nothing to a terminal', async () => {
    const text = await ask(() => 'a: \u001b[31mred\u001b[0m\u001b]0;title\u0007\r\nb: \u009b2J\u202eevil\u0000\u0008');
    expect(text).not.toMatch(/[^\n\P{C}]/u);
    expect(text).toContain('a: red');
  });

  it('is cut off at 256 KB', async () => {
    await expect(ask(() => 'x'.repeat(300 * 1024))).rejects.toMatchObject({ code: 'too_large' });
    expect(await ask(() => 'x\n'.repeat(100 * 1024))).toHaveLength(200 * 1024);
  });

  it('that sends a byte at a time has no more time than others', async () => {
    const drip: FakeWhois = () => (socket) => {
      const timer = setInterval(() => socket.write('x'), 20);
      socket.once('close', () => clearInterval(timer));
    };
    await expect(ask(drip, 200)).rejects.toMatchObject({ code: 'http_timeout' });
  });

  it('that breaks the connection has answered if it had said something', async () => {
    expect(await ask(() => (socket) => socket.write('a: 1\n', () => socket.resetAndDestroy()))).toBe('a: 1\n');
    await expect(ask(() => (socket) => void socket.resetAndDestroy())).rejects.toMatchObject({ code: 'connect_refused' });
  });

  it.each([
    ['10.0.0.1', 43, 'blocked_private_address'],
    ['::1', 43, 'blocked_private_address'],
    ['whois.inner.example', 43, 'blocked_private_address'],
    ['whois.nic.example', 25, 'blocked_policy'],
    ['whois.nic.example', 22, 'blocked_policy'],
    ['alias.example', 43, 'blocked_policy'],
    ['no host at all', 43, 'blocked_policy'],
  ])('at %s port %i is not asked', async (host, port, code) => {
    const asked = async () => await askWhois({ server: { host, port }, query: 'a.example', timeout_ms: 1_000 }, ports);
    await expect(asked()).rejects.toMatchObject({ code });
  });

  it('has port 43, which no URL may name', async () => {
    expect(isBadPort(43)).toBe(true);
    const policy = createAddressPolicy();
    expect(policy.judge('192.0.43.8', 43).allowed).toBe(false);
    expect(policy.judge('192.0.43.8', 43, 'whois').allowed).toBe(true);
    expect(policy.judge('192.0.43.8', 25, 'whois').allowed).toBe(false);
    expect(policy.judge('10.0.0.1', 43, 'whois').allowed).toBe(false);
    await using listening = await rawServer((socket) => socket.end());
    const own = createAddressPolicy({
      allowNets: ['127.0.0.0/8'],
      listeners: () => [{ addresses: ['127.0.0.1'], ports: [43, listening.port] }],
    });
    expect(own.judge('127.0.0.1', 43, 'whois').allowed).toBe(false);
  });
});
