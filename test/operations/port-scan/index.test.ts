import { failure } from '@vedette/contract';
import { operations } from '@vedette/operations';
import type { DistributedOperation } from '@vedette/operations/kit';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { read } from '../answer.ts';
import { replyFrom, reportOf } from '../measured.ts';

const portScan = operations.find(({ name }) => name === 'port-scan') as DistributedOperation<any, any, any, any, any, any, any>;
type Job = Record<string, unknown> & { ports: number[] };
const job = (request: object, locations = 1) => portScan.job(read(portScan, { host: 'A.Test.', ...request }), locations) as Job;
const price = (request: object) => (portScan.cost as { of(query: unknown): number }).of(read(portScan, { host: 'a.test', ...request }));

const port = (number: number, state: string, more: object = {}) => ({ port: number, state, rtt_ms: 0, icmp: '', banner: '', ...more });
const scanned = (ports: object[]) => ({ ip_address: '192.0.2.10', ports, connections: ports.length, elapsed_ms: 900 });
const outputOf = (ports: object[]): any =>
  (reportOf(portScan, { host: 'A.Test' }, [replyFrom('eu-fra', { result: scanned(ports) })]) as any).locations[0].scan_output;

describe('the ports', () => {
  it('are ports and ranges, ascending, each once; all locations share the pace', () => {
    expect(job({ ports: '443, 22,80-82,81' })).toEqual({ host: 'a.test', ports: [22, 80, 81, 82, 443], family: 0, interval_ms: 50 });
    expect(job({ ports: '1-100', family: 6 }, 4)).toMatchObject({ family: 6, interval_ms: 200, ports: { length: 100 } });
    expect(job({}).ports).toHaveLength(30);
  });

  it.each(['', '0', '65536', '80-79', '1-101', '1-60,100-141', 'ssh', '22;80', '22,', '-5', '1-2-3', '１'])('are not "%s"', (ports) => {
    expect(() => job({ ports })).toThrow(/ports/);
  });

  it('have a price', () => {
    expect([price({}), price({ ports: '22' }), price({ ports: '1-100' })]).toEqual([8, 6, 15]);
  });

  it('are scanned at an address of the family alone', () => {
    expect(() => job({ host: '192.0.2.1', family: 6 })).toThrow('family 6 and an address of the other one');
  });
});

describe('the report', () => {
  it('has every port with its service, which the banner says, or the number', () => {
    const ports = [
      port(22, 'open', { rtt_ms: 1.5, banner: 'SSH-2.0-OpenSSH_9.2\\r\\n' }),
      port(80, 'open', { rtt_ms: 1.4 }),
      port(443, 'closed', { rtt_ms: 1.6 }),
      port(2222, 'open', { rtt_ms: 1.4, banner: 'SSH-2.0-dropbear\\r\\n' }),
      port(8000, 'filtered', { icmp: 'Packet filtered (3/13) from 192.0.2.1', rtt_ms: 1.1 }),
      port(65_000, ''),
    ];
    const report = reportOf(portScan, { host: 'A.Test' }, [
      replyFrom('eu-fra', { result: scanned(ports) }),
      replyFrom('sat-1', { failure: failure('agent_lost') }),
    ]);
    expect(report).toMatchObject({
      host: 'A.Test',
      locations: [
        {
          location: 'eu-fra',
          error: '',
          scan_output: {
            host: 'A.Test',
            ip_address: '192.0.2.10',
            open_ports: [22, 80, 2222],
            stats: { scanned: 5, open: 3, closed: 1, filtered: 1 },
            accepts_everything: false,
            connections: 6,
          },
        },
        {
          reason: 'agent_lost',
          scan_output: { ip_address: '', ports: [], open_ports: [], stats: { scanned: 0, open: 0, closed: 0, filtered: 0 } },
        },
      ],
    });
    expect(outputOf(ports).ports.map(({ service, service_from }: any) => `${service} ${service_from}`)).toEqual([
      'ssh banner',
      'http port',
      'https port',
      'ssh banner',
      ' ',
      ' ',
    ]);
    expect(Value.Errors(portScan.response, report)).toEqual([]);
  });

  it.each([
    ['220 mx.test ESMTP Postfix\\r\\n', 'smtp'],
    ['220 (vsFTPd 3.0.3)\\r\\n', 'ftp'],
    ['* OK [CAPABILITY IMAP4rev1] ready\\r\\n', 'imap'],
    ['+OK Dovecot ready\\r\\n', 'pop3'],
    ['RFB 003.008\\n', 'vnc'],
    ['J\\x00\\x00\\x00\\n8.0.36\\x00\\x08', 'mysql'],
    ['\\xff\\xfd\\x18\\xff\\xfd ', 'telnet'],
    ['@RSYNCD: 31.0\\n', 'rsync'],
    ['220 hello\\r\\n', ''],
    ['HTTP/1.1 400 Bad Request', ''],
  ])('knows the service of %s', (banner, service) => {
    const [found] = outputOf([port(60_000, 'open', { banner })]).ports;
    expect(found).toMatchObject({ service, service_from: service === '' ? '' : 'banner' });
  });

  it('says that everything is accepted where nearly all of many ports are open', () => {
    const states = (open: number, closed: number) => [
      ...Array.from({ length: open }, (_, index) => port(1_000 + index, 'open')),
      ...Array.from({ length: closed }, (_, index) => port(2_000 + index, 'closed')),
    ];
    const accepts = [states(10, 0), states(19, 1), states(9, 1), states(9, 0), []].map((ports) => outputOf(ports).accepts_everything);
    expect(accepts).toEqual([true, true, false, false, false]);
  });
});
