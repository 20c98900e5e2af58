import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { urlStatus } from '../../../packages/operations/src/url-status/index.ts';
import { answer, type Opened } from '../answer.ts';
import { type RedirectZoo, startRedirectZoo } from './redirect-zoo.ts';
import { type ZooContext, zooContext } from './zoo-context.ts';

const schema = Compile(urlStatus.response);
export type Request = Omit<Static<typeof urlStatus.request>, 'url'>;

export const zooUrl = (path: string) => `http://zoo.test${path}`;

/** One zoo for the tests of a file. `last`: what the last request was opened with. */
export const here = {} as { zoo: RedirectZoo; last: ZooContext };

/** Starts it, and forgets its requests before each test. */
export function aroundZoo(): void {
  beforeAll(async () => {
    here.zoo = await startRedirectZoo();
  });
  afterAll(() => here.zoo[Symbol.asyncDispose]());
  beforeEach(() => {
    here.zoo.requests.length = 0;
    here.zoo.authorized.length = 0;
  });
}

/** Asks as the gateway does; the report fits its schema. */
export async function ask(url: string, request: Request = {}, more: Partial<Opened> = {}) {
  here.last = zooContext(here.zoo, more);
  const report = await answer(urlStatus, { url, ...request }, here.last.opened);
  expect([...schema.Errors(report)]).toEqual([]);
  const [first] = report.chain;
  return { report, first: first!, final: report.chain.at(-1)!, urls: report.chain.map(({ url: asked }) => asked) };
}
