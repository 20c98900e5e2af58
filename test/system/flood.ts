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
  /** Ends it before its time; there is no result then. */
  stop(): void;
}

export function startFlood(flood: Flood): RunningFlood {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(flood)], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const opened = once(child, 'message');
  const told = async (): Promise<FloodResult> => {
    await opened;
    return ((await once(child, 'message')) as [FloodResult])[0];
  };
  return { opened, result: told(), stop: () => child.kill() };
}

/** Reads answers off a connection as they come, keeping no more than a head of them. */
class AnswerReader {
  #head = '';
  #status = 0;
  /** Octets of the body that are still to come. */
  #missing = 0;

  /** Statuses of the answers that end in this chunk. */
  read(chunk: Buffer): number[] {
    const ended: number[] = [];
    for (let rest = chunk; rest.length > 0;) {
      if (this.#status === 0) {
        this.#head += rest.toString('latin1');
        const end = this.#head.indexOf('\r\n\r\n');
        if (end < 0) return ended;
        this.#status = Number(this.#head.slice(9, 12));
        this.#missing = Number(/\r\ncontent-length: (\d+)/i.exec(this.#head.slice(0, end))?.[1] ?? 0);
        rest = rest.subarray(rest.length - (this.#head.length - end - 4));
        this.#head = '';
      }
      const body = Math.min(rest.length, this.#missing);
      this.#missing -= body;
      rest = rest.subarray(body);
      if (this.#missing > 0) return ended;
      ended.push(this.#status);
      this.#status = 0;
    }
    return ended;
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
      const reader = new AnswerReader();
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
        const statuses = reader.read(chunk);
        if (statuses.length === 0) return;
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
