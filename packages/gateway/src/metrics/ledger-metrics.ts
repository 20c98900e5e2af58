import type { Ledger, LedgerEvents } from '@vedette/ledger';
import type { MakeCounter, MakeGauge, MakeHistogram } from './metric-makers.ts';

interface Makers {
  counter: MakeCounter;
  gauge: MakeGauge;
  histogram: MakeHistogram;
}

/** Metrics of the ledger and of its database. */
export const ledgerMetrics = ({ counter, gauge, histogram }: Makers) => ({
  writable: gauge('database_writable', '1 while the database takes writes', []),
  commit: gauge('database_commit_seconds', 'How long the last commit took that was tried, every 2 s', []),
  diskShort: gauge(
    'database_disk_short',
    '1 while the disk of the embedded database is nearly full: its reserve is given up, and answers for repetitions and passive DNS are not kept',
    [],
  ),
  connections: gauge('database_connections', 'Connections to the database, and who waits for one', ['pool', 'state']),
  work: histogram(
    'ledger_duration_seconds',
    'Credits reserved, settled and released for requests, by how that ended: ok, or the code of the error',
    ['work', 'outcome'],
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ),
  batch: histogram('ledger_batch_size', 'Requests that shared one commit', ['lane'], [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096]),
  batchSeconds: counter('ledger_batch_seconds_total', 'Time that those commits took, by how they ended', ['lane', 'outcome']),
  holds: gauge('ledger_holds', 'Requests of this gateway for which credits are held', []),
  heldCredits: gauge('ledger_held_credits', 'Credits that are held for them', []),
  inDoubt: gauge('ledger_in_doubt', 'Holds and charges of which the database did not say what became; they are given back', []),
  swept: counter('ledger_swept_holds_total', 'Holds that nobody ended and that were given back: of requests, or of gateways that died', [
    'reason',
  ]),
  notKept: counter(
    'ledger_answers_not_kept_total',
    'Answers to requests with an Idempotency-Key that were not kept, by what had no room: account (32 MB each), all (512 MB), disk',
    ['limit'],
  ),
  discrepancies: gauge('ledger_discrepancies', 'Figures that did not add up at the last audit, once an hour', []),
  upkeepFailures: counter('ledger_upkeep_failures_total', 'Times that upkeep of the ledger failed: leases, sweeps, expiry, audit', []),
  short: gauge('account_credits_remaining', 'Present while an account that was seen here has less than a tenth of its credits left', [
    'account',
  ]),
  gateways: gauge('gateways', 'Gateways that share the database and are alive, this one included', []),
});
type LedgerMetrics = ReturnType<typeof ledgerMetrics>;

/** Counts what the ledger tells. */
export const ledgerEvents = (metrics: LedgerMetrics): LedgerEvents => ({
  ended: (work, outcome, ms) => metrics.work.observe({ work, outcome }, ms / 1000),
  committed(lane, requests, ms, outcome) {
    metrics.batch.observe({ lane }, requests);
    metrics.batchSeconds.inc({ lane, outcome }, ms / 1000);
  },
  swept: (reason, holds) => metrics.swept.inc({ reason }, holds),
  notKept(answers) {
    for (const [limit, count] of Object.entries(answers)) if (count > 0) metrics.notKept.inc({ limit }, count);
  },
  audited: (discrepancies) => metrics.discrepancies.set(discrepancies),
  upkeepFailed: () => metrics.upkeepFailures.inc(),
});

export function refreshLedger(metrics: LedgerMetrics, ledger: Ledger): void {
  metrics.writable.set(ledger.isWritable() ? 1 : 0);
  metrics.diskShort.set(ledger.isDiskShort() ? 1 : 0);
  metrics.commit.set(ledger.commitMs() / 1000);
  for (const { pool, state, count } of ledger.connections()) metrics.connections.set({ pool, state }, count);
  const { holds, credits } = ledger.held();
  metrics.holds.set(holds);
  metrics.heldCredits.set(credits);
  metrics.inDoubt.set(ledger.inDoubt());
  metrics.gateways.set(ledger.gateways());
  metrics.short.reset();
  for (const { account, remaining } of ledger.shortOfCredits()) metrics.short.set({ account }, remaining);
}
