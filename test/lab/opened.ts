import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Lab } from './lab.ts';
import { type StartOptions, System } from './system.ts';

/** The lab of this test file, from `openLab`, `openSystem` or `shareSystem` on. */
export let lab: Lab;
/** The product in it, from `openSystem` or `shareSystem` on. */
export let system: System;

/** The lab that test files of one worker share, and its state as it was opened. */
let shared: { lab: Lab; system: System; state: string[] } | undefined;

/** Opens a lab before the tests, heals it after each, and closes it after the last. */
export function openLab(): void {
  beforeAll(async () => {
    lab = await Lab.open();
  });
  afterEach(() => lab.faults.healAll());
  afterAll(() => lab?.close());
}

/** `openLab`, and the product started in it. */
export function openSystem(options?: StartOptions): void {
  openLab();
  beforeAll(async () => {
    system = await System.start(lab, options);
  });
}

/**
 * The lab that the files of a worker share, with the product in it, and with these settings of the gateway. A file finds it as it was opened: empty
 * caches of resolvers, no accesses, one agent in each region. Afterwards it is put in order again: a file that leaves anything else behind fails, and
 * the next file has a new lab.
 */
export function shareSystem(gatewayEnv: NodeJS.ProcessEnv = {}): void {
  beforeAll(async () => {
    if (shared === undefined) {
      const opened = await Lab.open();
      const started = await System.start(opened, { gatewayEnv });
      shared = { lab: opened, system: started, state: await opened.state() };
    }
    ({ lab, system } = shared);
    await system.useGateway(gatewayEnv);
    await lab.dns.flushAll();
    lab.web.forget();
  });
  afterEach(async ({ task }) => {
    await lab.faults.healAll();
    if (task.result?.state === 'fail') await system.restore(); // for its second try
  });
  afterAll(async () => {
    if (shared === undefined) return;
    const { lab: used, system: started, state } = shared;
    shared = undefined;
    try {
      await used.faults.healAll();
      await used.endSpawned();
      await Promise.all([used.exits.restore(), started.restore()]);
      expect(await used.state()).toEqual(state);
    } catch (error) {
      await used.close();
      throw error;
    }
    shared = { lab: used, system: started, state };
  });
}
