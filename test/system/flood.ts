import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

/** What many clients do at once, from a process of their own: a test's own event loop is for those who are to be served beside them. */
export interface Flood {
  port: number;
  connections: number;
  /** One request, as octets; the next follows its answer at once. */
  octets: string;
  ms: number;
  /** Source addresses, taken in turn: 127.0.0.<n>. */
  addresses?: number;
  /** They ask once, and read nothing; or open a connection and ask nothing. */
  manner?: 'asks' | 'never reads' | 'idles';
}

export interface FloodResult {
  /** Answers by status. */
  answers: Record<number, number>;
  /** Connections that were closed by the other side. */
  closed: number;
  /** Latencies of the 200s: the value below which half, and 99 of 100, of them lie. */
  p50Ms: number;
  p99Ms: number;
}

export interface RunningFlood {
  /** Resolves when all its connections are open, or were refused. */
  opened: Promise<unknown>;
  result: Promise<FloodResult>;
}

export function startFlood(flood: Flood): RunningFlood {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(flood)], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const opened = once(child, 'message');
  const told = async (): Promise<FloodResult> => {
    await opened;
    return ((await once(child, 'message')) as [FloodResult])[0];
  };
  return { opened, result: told() };
}

/** The whole answers at the beginning of `text`, and how long they are. */
function answersIn(text: string): { statuses: number[]; length: number } {
  const statuses: number[] = [];
  let at = 0;
  for (;;) {
    const end = text.indexOf('\r\n\r\n', at);
    if (end < 0) return { statuses, length: at };
    const head = text.slice(at, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (text.length < end + 4 + length) return { statuses, length: at };
    statuses.push(Number(head.slice(9, 12)));
    at = end + 4 + length;
  }
}

async function run({ port, connections, octets, ms, addresses = 1, manner = 'asks' }: Flood): Promise<void> {
  const answers: Record<number, number> = {};
  const latencies: number[] = [];
  let closed = 0;
  let over = false;
  const openOne = (index: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${1 + (index % addresses)}`, noDelay: true });
      let text = '';
      let sentAt = 0;
      const ask = () => {
        sentAt = performance.now();
        socket.write(octets);
      };
      socket.on('connect', () => {
        resolve();
        if (manner === 'never reads') socket.pause();
        if (manner !== 'idles') ask();
      });
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const { statuses, length } = answersIn(text);
        if (statuses.length === 0) return;
        text = text.slice(length);
        for (const status of statuses) answers[status] = (answers[status] ?? 0) + 1;
        if (statuses.includes(200)) latencies.push(performance.now() - sentAt);
        if (!over) ask();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        resolve();
        closed++;
        // Whoever is let go of comes again.
        if (!over && manner === 'asks') setTimeout(() => void openOne(index), 1);
      });
    });
  await Promise.all(Array.from({ length: connections }, (_, index) => openOne(index)));
  process.send!('opened');
  setTimeout(() => {
    over = true;
    const sorted = latencies.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Infinity;
    process.send!({ answers, closed, p50Ms: at(0.5), p99Ms: at(0.99) } satisfies FloodResult, () => process.exit(0));
  }, ms);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(JSON.parse(process.argv[2]!) as Flood);
