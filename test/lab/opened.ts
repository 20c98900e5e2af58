import { afterAll, afterEach, beforeAll } from 'vitest';
import { Lab } from './lab.ts';
import { type StartOptions, System } from './system.ts';

/** The lab of this test file, from `openLab` or `openSystem` on. */
export let lab: Lab;
/** The product in it, from `openSystem` on. */
export let system: System;

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
