import { ApiError } from '@vedette/contract';
import type { Report } from '@vedette/operations/kit';
import type { OptOuts } from '@vedette/probes/host';
import type { OutboundGate } from './outbound-gate.ts';
import type { RequestLifetime } from './request-lifetime.ts';
import type { Target } from '../shares/targets.ts';
import type { GateRow } from '../shares/gate.ts';

/** The word of the targets' owners on one request: whether they want to be measured. */
export class Consent {
  /** Resolves when all agree, rejects when one does not; undefined where it was known that they do. */
  readonly go: Promise<void> | undefined;

  constructor(go?: Promise<void>) {
    this.go = go;
  }

  /** Tells now, or once they agree: who is refused hears nothing before. */
  tell(what: () => void): void {
    if (this.go === undefined) what();
    else void this.go.then(what, () => {});
  }

  /** The report, once they agree as well. */
  async to(running: Promise<Report>): Promise<Report> {
    const [report] = await Promise.all([running, this.go]);
    return report;
  }
}

/** No owner must be asked. */
const GIVEN = new Consent();

/** Asks the owners. Throws, or rejects with, what `OptOuts` does, and `ApiError` denied_target. */
export function askOwners(targets: readonly Target[], optOuts: OptOuts, gate: OutboundGate, lifetime: RequestLifetime): Consent {
  const asking: Promise<void>[] = [];
  for (const { kind, host } of targets) {
    const isOut = kind === 'name' && optOuts.has(host, gate, lifetime);
    const refuse = (out: boolean) => {
      if (out) throw new ApiError('denied_target', `the owner of ${host} has opted out`);
    };
    if (typeof isOut === 'boolean') refuse(isOut);
    else asking.push(isOut.then(refuse));
  }
  return asking.length === 0 ? GIVEN : new Consent(Promise.all(asking).then(() => undefined));
}

export const OPT_OUT_GATE: GateRow = {
  name: 'Opt-outs',
  limits: 'targets whose owners have opted out',
  limit: 'none is contacted; their zones are asked, within the limits below',
  codes: ['denied_target', 'overloaded'],
  cause: 'owner',
  files: ['packages/probes/src/host/opt-outs.ts'],
};
