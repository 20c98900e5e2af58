import { HOSTILE_MESSAGES } from '../message/message/hostile.ts';

/** One of `every` messages that are written to be slow, of 150 KB each, in Base64. */
export const hostileMails = (every: number): string[] =>
  Object.values(HOSTILE_MESSAGES)
    .filter((_, i) => i % every === 0)
    .map((make) => Buffer.from(make(150_000)).toString('base64'));

/** Sends them from four clients, and asks for something else as long as that lasts; the statuses of both. */
export async function sendBeside(
  mails: readonly string[],
  send: (mail: string) => Promise<Response>,
  askElse: () => Promise<Response>,
): Promise<{ statuses: number[]; others: number[] }> {
  const statusOf = async (asked: Promise<Response>): Promise<number> => {
    const response = await asked;
    await response.arrayBuffer();
    return response.status;
  };
  const left = mails.values();
  const statuses: number[] = [];
  const client = async (): Promise<void> => {
    for (const mail of left) statuses.push(await statusOf(send(mail)));
  };
  const over = new AbortController();
  const sent = Promise.allSettled([client(), client(), client(), client()]).finally(() => over.abort());
  const others: number[] = [];
  while (!over.signal.aborted) others.push(await statusOf(askElse()));
  for (const end of await sent) if (end.status === 'rejected') throw end.reason;
  return { statuses, others };
}
