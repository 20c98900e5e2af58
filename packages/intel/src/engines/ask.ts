import { type BudgetedResolver, type DnsAnswer, isAnswer, type QueryOptions } from '@vedette/contract';

/** A server that is asked about a zone: one of the zone, by address; undefined stands for the configured resolvers. */
export type ZoneServer = string | undefined;

/** A question without an answer, and whether the zone is to blame. */
export class NoAnswer extends Error {
  readonly zonesFault: boolean;

  constructor(why: string, zonesFault: boolean) {
    super(why);
    this.name = 'NoAnswer';
    this.zonesFault = zonesFault;
  }
}

/**
 * Asks the first server for the addresses of a name, and the second too when the first has failed, or has not answered by the time `hedge`
 * resolves: the first good answer counts. Rejects with `NoAnswer`, with the signal's reason, or with what the gate refuses.
 */
export async function askHedged(
  name: string,
  [first, second]: readonly ZoneServer[],
  hedge: Promise<unknown>,
  resolver: Pick<BudgetedResolver, 'ask'>,
  options: Pick<QueryOptions, 'secret' | 'fresh'> & { signal: AbortSignal },
): Promise<DnsAnswer> {
  let answered = false;
  const attempt = async (server: ZoneServer): Promise<DnsAnswer> => {
    const answer = await resolver.ask(name, 'A', { ...options, ...(server !== undefined && { server }) });
    if (!isAnswer(answer)) throw answer.code === 'budget_spent' ? SPENT : SILENT;
    if (answer.rcode !== 'NOERROR' && answer.rcode !== 'NXDOMAIN') throw new NoAnswer(`it answered ${answer.rcode}`, true);
    answered = true;
    return answer;
  };
  const one = attempt(first);
  if (second === undefined) return await one;
  const failed = one.then(
    () => new Promise<never>(() => {}),
    () => undefined,
  );
  const two = Promise.race([hedge, failed]).then(() => (answered ? one : attempt(second)));
  try {
    return await Promise.any([one, two]);
  } catch (error) {
    options.signal.throwIfAborted();
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

const SILENT = new NoAnswer('no answer', true);
const SPENT = new NoAnswer('the request had no questions left for it', false);
