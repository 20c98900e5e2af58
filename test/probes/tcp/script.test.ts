import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { rawServer } from '../http/raw-server.ts';
import { measured, octets, patterns, type TcpJob } from './running.ts';

afterAll(() => patterns.close());

const scripted = async (
  behave: (socket: Socket) => void,
  script: NonNullable<TcpJob['script']>,
  ports: Parameters<typeof measured>[2] = {},
) => {
  await using server = await rawServer(behave);
  const { detail, reason, state } = await measured(server.port, { script, tls: { verify: false } }, ports);
  await sleep(50); // what was sent last arrives
  return { script: detail!.script, labels: detail!.labels, reason, state, received: server.received.join('') };
};
/** Says a line for each that it is told. */
const answering =
  (...lines: string[]) =>
  (socket: Socket) => {
    const next = [...lines];
    socket.write(next.shift() ?? '');
    socket.on('data', () => socket.write(next.shift() ?? ''));
  };

describe('a script', () => {
  it('looks for a line, and fills what the groups have into what it sends and into labels', async () => {
    const result = await scripted(answering('hello\nPING :a1 b\r\n', ':server 001 you\n'), [
      { send: octets('NICK prober') },
      {
        expect: 'PING :(?P<token>[^ ]+) (.)',
        send: octets('PONG ${token} $2 $$ ${9}|$token2'),
        labels: [{ name: 'ping', value: '${1}/$2' }],
      },
      { expect: '^:[^ ]+ 001' },
    ]);
    expect(result).toMatchObject({ script: 'done', reason: undefined, labels: [[{ name: 'ping', value: 'a1/b' }]] });
    expect(result.received).toBe('NICK prober\nPONG a1 b $ |\n');
  });

  it('reads octets behind the lines', async () => {
    const steps = [{ expect: '^ready' }, { expect_bytes: octets('S\xff\0') }, { send: octets('\x01\xfe') }, { expect: 'end' }];
    const result = await scripted(answering('ready\nS\xff\0', 'the end'), steps);
    expect(result.script).not.toBe('no_match');
    const exact = await scripted((socket) => void socket.write(Buffer.from('ready\nS\xff\0the end\n', 'latin1')), steps);
    expect(exact).toMatchObject({ script: 'done', received: '\x01\xfe\n' });
    expect(await scripted((socket) => socket.end('ready\nSxx'), steps)).toMatchObject({ script: 'no_bytes', reason: undefined });
    expect(await scripted((socket) => socket.end('ready\nS'), steps)).toMatchObject({ script: 'ended' });
  });

  it('ends with what the server did not say', async () => {
    expect(await scripted((socket) => socket.end('no\nnever'), [{ expect: 'yes' }])).toMatchObject({
      script: 'no_match',
      reason: undefined,
    });
    expect(await scripted((socket) => socket.end('last words'), [{ expect: 'words$' }])).toMatchObject({ script: 'done' });
    expect(await scripted((socket) => socket.write('x'.repeat(70_000)), [{ expect: 'y' }])).toMatchObject({ script: 'ended' });
    expect(await scripted((socket) => socket.write('no\n'), [{ expect: 'yes' }], { budget_ms: 500 })).toMatchObject({
      script: '',
      reason: 'answer_timeout',
      state: 'open',
    });
    expect(await scripted((socket) => socket.end(`${'a'.repeat(40)}!\n`), [{ expect: '^(a+)+$' }])).toMatchObject({
      script: 'pattern_timeout',
    });
  });

  it('does not begin TLS over plaintext that nothing asked for', async () => {
    expect(await scripted((socket) => socket.write('220 go\r\ninjected\r\n'), [{ expect: '^220' }, { starttls: true }])).toMatchObject({
      script: '',
      reason: 'starttls_failed',
    });
  });
});
