import { parentPort, workerData } from 'node:worker_threads';
import { FeedRefused } from '../refusal.ts';
import { buildFile, type Builders } from './build-file.ts';
import { type Answer, inOwnMemory, type Order } from './messages.ts';

const { builders } = (await import((workerData as { builders: string }).builders)) as { builders: Builders };

parentPort!.on('message', (order: Order) => void answer(order));

async function answer({ feed, body, kept }: Order): Promise<void> {
  try {
    const built = await buildFile(builders, feed, body, kept);
    const [snapshot, raw] = [inOwnMemory(built.snapshot.bytes), inOwnMemory(built.raw.bytes)];
    const bytes = { snapshot: { ...built.snapshot, bytes: snapshot }, raw: { ...built.raw, bytes: raw } };
    send({ built: { ...built, ...bytes } }, [...new Set([snapshot.buffer, raw.buffer])]);
  } catch (error) {
    const why = error instanceof FeedRefused ? error.why : 'internal';
    send({ refused: { why, message: error instanceof Error ? (why === 'internal' ? error.stack! : error.message) : String(error) } });
  }
}

const send = (answer: Answer, transfer: ArrayBuffer[] = []): void => parentPort!.postMessage(answer, transfer);
