import { type Client, createClient, type KeptAnswer, type LocationList, type Operations, VedetteError } from '@vedette/client';
import type { Entry } from './run.ts';
import { creditsLeft, key, person, signOut } from './session.ts';

export interface Heard {
  chosen(locations: readonly Entry[]): void;
  entry(entry: Entry): void;
}

interface Asked {
  signal?: AbortSignal;
  /** Called with the chosen locations, and with each entry as its location answers; asks for an event stream. */
  onEvent?: Heard;
  /** Names the request, so that asking again after a break is free. */
  idempotencyKey?: string;
}

/** Asks as the person whose cookie the browser has. */
const byCookie: typeof fetch = (address, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('x-api-key');
  return fetch(address, { ...init, headers, credentials: 'same-origin' });
};

/** A client that asks once: its reader decides whether to ask again. */
const clientWith = (apiKey: string): Client =>
  createClient({
    url: location.origin,
    key: apiKey,
    retries: 0,
    fetch: apiKey === '' ? byCookie : (address, init) => fetch(address, { ...init, credentials: 'omit' }),
    onQuota({ remaining }) {
      if (apiKey === key.value) creditsLeft.value = remaining;
    },
  });

/** Signs out where the gateway takes the key of this tab, or the person's cookie, no more. */
async function signedIn<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const apiKey = key.value;
  const asked = person.value;
  try {
    return await work(clientWith(apiKey));
  } catch (error) {
    if (
      error instanceof VedetteError &&
      error.status === 401 &&
      (apiKey !== '' || asked !== null) &&
      apiKey === key.value &&
      asked === person.value
    )
      signOut(error.message);
    throw error;
  }
}

/** Asks whether the gateway takes a key. Rejects with a `VedetteError` where it does not. */
export async function tryKey(value: string): Promise<void> {
  await clientWith(value).accountInfo();
}

export const listLocations = (): Promise<LocationList> => signedIn((client) => client.locations());

/** Calls a path that is not an operation's. Rejects with a `VedetteError`. */
export const call = <T>(path: string, body?: object): Promise<T> => signedIn(async (client) => (await client.call(path, body)) as T);

/** Fetches the API description. */
export async function describe(): Promise<unknown> {
  const response = await (key.value === '' ? byCookie : fetch)('/openapi.json', { headers: { 'x-api-key': key.value } });
  if (!response.ok) throw new Error(`The API description has status ${response.status}`);
  return response.json();
}

/** Reads the answer that a key stands for. Rejects with a `VedetteError`, `answer_not_kept` where there is none. */
export const readKept = (idempotencyKey: string): Promise<KeptAnswer> => signedIn((client) => client.keptAnswer(idempotencyKey));

/** Asks an operation. Resolves to its report; rejects with a `VedetteError`, or as the signal says. */
export const ask = (operation: string, request: object, { onEvent, ...options }: Asked = {}): Promise<unknown> =>
  signedIn(async (client) => {
    const name = operation as keyof Operations;
    if (!onEvent) return client.ask(name, request, options);
    let report: unknown;
    for await (const { event, data } of client.events(name, request, options)) {
      if (event === 'locations') onEvent.chosen(data.locations);
      else if (event === 'location') onEvent.entry(data);
      else report = data;
    }
    return report;
  });
