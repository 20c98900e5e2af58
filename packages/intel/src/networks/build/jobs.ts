/**
 * Jobs that take too long for the event loop: all that read a whole dataset. Each is loaded where it is done, since a thread begins with
 * nothing and the contract's schemas alone take it longer than a short list.
 */
export const JOBS = {
  changeLists: async () => (await import('../tables/mark-table.ts')).changeLists,
  loadOrigins: async () => (await import('./origins-csv.ts')).loadOrigins,
  openOrigins: async () => (await import('./origins-data.ts')).openOrigins,
  openAutonomousSystems: async () => (await import('../autonomous-systems.ts')).openAutonomousSystems,
  openPrefixes: async () => (await import('../tables/prefixes.ts')).openPrefixes,
  openDelegations: async () => (await import('./delegations.ts')).openDelegations,
};

export type JobName = keyof typeof JOBS;
export type Job<Name extends JobName> = Awaited<ReturnType<(typeof JOBS)[Name]>>;
