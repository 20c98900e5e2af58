import { setImmediate } from 'node:timers/promises';
import { type BusWarning, subjects } from '@vedette/bus';
import { StartError } from '@vedette/process/start-error';

/** Hears what the bus forbids, and knows when that leaves an agent nothing to do. */
export interface Admission {
  hear(code: BusWarning, detail: string): void;
  /** Call when the bus has seen our first beat and our subscriptions. Throws the `StartError` where it takes no beats of ours. */
  decide(): Promise<void>;
  /** Resolves when the bus takes no beats of ours any more: its key is for another location, or another agent. */
  readonly refused: Promise<StartError>;
}

export interface AdmissionOptions {
  location: string;
  agent: string;
  /** VEDETTE_NATS_CREDS. */
  keyFile: string | undefined;
  /** Told what the bus says. Its other refusals are held back until then: for a key of another agent, one sentence says everything. */
  warn(code: BusWarning, detail: string): void;
}

export function watchAdmission({ location, agent, keyFile, warn }: AdmissionOptions): Admission {
  const { promise: refused, resolve: refuse } = Promise.withResolvers<StartError>();
  const key = keyFile === undefined ? 'this agent, which has no key' : `the key in ${keyFile}`;
  let forbidden: [code: BusWarning, subject: string][] = [];
  let decided = false;
  let atLocation = true;
  let beats = true;
  const ofLocation = (subject: string) => subject === subjects.job(subject.split('.')[3] ?? '', location);
  const sentence = () =>
    new StartError(
      atLocation
        ? `${key} is not for the agent ${agent} at ${location}: set VEDETTE_AGENT_ID to the agent that it is for`
        : `${key} is not for ${location}: give VEDETTE_NATS_CREDS the key of that location's agents, or VEDETTE_LOCATION the location of the key`,
    );
  /** Other refusals may arrive at the same time, before it or after. */
  const judge = async () => {
    await setImmediate();
    if (!decided) return;
    if (!beats) refuse(sentence());
    else for (const warning of forbidden) warn(...warning);
    forbidden = [];
  };
  return {
    refused,
    async decide() {
      decided = true;
      await judge();
      if (!beats) throw sentence();
    },
    hear(code, detail) {
      if (code !== 'forbidden_subscribe' && code !== 'forbidden_publish') return warn(code, detail);
      if (code === 'forbidden_subscribe' && ofLocation(detail)) atLocation = false;
      if (code === 'forbidden_publish' && detail === subjects.beat(location, agent)) beats = false;
      forbidden.push([code, detail]);
      void judge();
    },
  };
}
