import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Lab } from './lab.ts';
import { type StartOptions, System } from './system.ts';

/** The lab of this test file, from `openLab`, `openSystem` or `shareSystem` on. */
export let lab: Lab;
/** The product in it, from `openSystem` or `shareSystem` on. */
export let system: System;

/** A lab that test files of one worker share, and its state as it was opened. */
interface Shared {
  lab: Lab;
  system: System;
  state: string[];
}
let shared: Shared | undefined;

/** Opens a lab before the tests, heals it after each, and closes it after the last. */
export function openLab(): void {
  let own: Lab | undefined;
  beforeAll(async () => {
    lab = own = await Lab.open();
  });
  afterEach(() => own?.faults.healAll());
  afterAll(() => own?.close()); // where it could not be opened, `lab` is that of another file
}

/** `openLab`, and the product started in it. */
export function openSystem(options?: StartOptions): void {
  openLab();
  beforeAll(async () => {
    system = await System.start(lab, options);
  });
}

async function openShared(gatewayEnv: NodeJS.ProcessEnv): Promise<Shared> {
  const opened = await Lab.open();
  try {
    const started = await System.start(opened, { gatewayEnv });
    return { lab: opened, system: started, state: await opened.state() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * The lab that the files of a worker share, with the product in it, and with these settings of the gateway. A file finds it as it was opened: empty
 * caches of resolvers, agents and the gateway, no accesses, one agent in each region. Afterwards it is put in order again: a file that leaves anything else behind fails, and
 * the next file has a new lab.
 */
export function shareSystem(gatewayEnv: NodeJS.ProcessEnv = {}): void {
  beforeAll(async () => {
    if (shared === undefined) shared = await openShared(gatewayEnv);
    else await shared.system.renew(gatewayEnv);
    ({ lab, system } = shared);
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
