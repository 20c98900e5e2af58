import { central, Host, HttpUrl, parseTargets } from '@vedette/operations/kit';
import { Type } from 'typebox';
import { expect, it } from 'vitest';

it('hands each target over parsed, by its field', () => {
  const targets = parseTargets({ host: 'host', name: 'name', url: 'url' }, { host: '192.0.2.1', name: 'A.test', url: 'http://b.test' });
  expect(targets).toMatchObject({
    host: { kind: 'ipv4', host: '192.0.2.1' },
    name: { kind: 'name', host: 'a.test' },
    url: { kind: 'name', host: 'b.test', port: 80 },
  });
});

it.each([
  [{ host: 'host' } as const, 'a..test', 'host is not a host name or an IP address'],
  [{ host: 'name' } as const, '192.0.2.1', 'host must be a domain name'],
  [{ host: 'address' } as const, 'a.test', 'host must be an IPv4 or IPv6 address'],
  [{ host: 'address' } as const, '127.1', 'host must be an IPv4 or IPv6 address'],
  [{ host: 'url' } as const, 'a.test', 'host must begin with http:// or https://'],
  [{ host: 'url' } as const, 'a.test:8080/x', 'host must begin with http:// or https://'],
  [{ host: 'url' } as const, 'http:a.test', 'host must begin with http:// or https://'],
  [{ host: 'url' } as const, 'ftp://a.test/', 'host must be an http or https URL'],
  [{ host: 'url' } as const, 'mailto:a@a.test', 'host must be an http or https URL'],
  [{ host: 'url' } as const, 'https://a:b@a..test/', 'host is not a valid URL'],
  [{ host: 'url' } as const, 'http://a..test/', 'host is not a valid URL'],
])('refuses %o that is %s', (forms, host, detail) => {
  expect(() => parseTargets(forms, { host })).toThrow(
    expect.objectContaining({ code: 'invalid_parameter', message: expect.stringContaining(detail) }),
  );
});

it('only a text that every request has can be a target', () => {
  const head = {
    name: 'two-targets',
    subject: 'service' as const,
    summary: '',
    cost: 1,
    deadline_ms: 1_000,
    request: Type.Object({ host: Host(), url: Type.Optional(HttpUrl()), count: Type.Integer() }),
    response: Type.Object({}),
    examples: [],
    read: () => ({}),
    run: () => Promise.resolve({}),
  };
  // The compiler says no to each of these; at run time there is nothing left to find out.
  const refused = [
    // @ts-expect-error there is no such field
    central({ ...head, targets: { hots: 'host' } }),
    // @ts-expect-error a request without it would name the host "undefined"
    central({ ...head, targets: { url: 'url' } }),
    // @ts-expect-error a number
    central({ ...head, targets: { count: 'host' } }),
  ];
  expect([central({ ...head, targets: { host: 'host' } }), ...refused].map(({ targets }) => targets)).toEqual([
    { host: 'host' },
    { hots: 'host' },
    { url: 'url' },
    { count: 'host' },
  ]);
});
