import { operatorAt, readLogList } from '@vedette/intel/transparency';
import { expect, it } from 'vitest';
import { logListText, testLog } from '../../mail/certificates/logs.ts';

const [first, second] = [
  testLog('first', { operator: 'One' }),
  testLog('second', { operator: 'Two', state: 'retired', since: '2026-05-01T00:00:00Z', rsa: true }),
];
const text = logListText([first, second], new Date('2026-11-01T00:00:00Z'));
const changed = (change: (document: any) => void): string => {
  const document = JSON.parse(text);
  change(document);
  return JSON.stringify(document);
};

it('has the logs by the hash of their key', () => {
  const { published, logs, unreadable } = readLogList(text)!;
  expect([published, logs.size, unreadable]).toEqual([new Date('2026-11-01T00:00:00Z'), 2, 0]);
  expect(logs.get(second.id.toString('hex'))).toMatchObject({
    name: 'second',
    operator: 'Two',
    state: 'retired',
    since: new Date('2026-05-01T00:00:00Z'),
  });
});

it('has those of the newer form, too', () => {
  const { logs } = readLogList(changed(({ operators: [one] }) => Object.assign(one, { tiled_logs: one.logs, logs: [] })))!;
  expect(logs.size).toBe(2);
});

it.each<[string, (log: any) => void]>([
  ['whose id is of another key', (log) => (log.log_id = second.id.toString('base64'))],
  ['without a key', (log) => delete log.key],
  ['whose key is none', (log) => (log.key = 'AAAA')],
  ['of a state with another time', (log) => (log.state = { usable: { timestamp: 'yesterday' } })],
  ['that is no object', (log) => Object.setPrototypeOf(log, null) && Object.keys(log).forEach((key) => delete log[key])],
])('leaves a log out %s', (_what, change) => {
  const list = readLogList(changed(({ operators }) => change(operators[0].logs[0])))!;
  expect([list.logs.size, list.unreadable]).toEqual([1, 1]);
});

it('takes a log without a known state for one that counts for nothing', () => {
  const { logs } = readLogList(changed(({ operators }) => delete operators[0].logs[0].state))!;
  expect(logs.get(first.id.toString('hex'))!.state).toBe('pending');
});

it('knows who operated a log when', () => {
  const previous_operators = [
    { name: 'Later', end_time: '2026-06-01T00:00:00Z' },
    { name: 'Earliest', end_time: '2025-06-01T00:00:00Z' },
  ];
  const log = readLogList(changed(({ operators }) => Object.assign(operators[0].logs[0], { previous_operators })))!.logs.get(
    first.id.toString('hex'),
  )!;
  const at = ['2025-01-01', '2026-01-01', '2026-06-01'].map((day) => operatorAt(log, new Date(day)));
  expect(at).toEqual(['Earliest', 'Later', 'One']);
});

it.each(['', '[]', '{"operators":[]}', '<html>', 'null', '{"log_list_timestamp":"2026-11-01T00:00:00Z","operators":[{"name":"x"}]}'])(
  '%s is no list',
  (other) => expect(readLogList(other)).toBeUndefined(),
);
