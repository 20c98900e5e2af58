import { type BusWarning, subjects } from '@vedette/bus';
import { StartError } from '@vedette/process/start-error';

/** Hears what the bus forbids, and knows when that leaves an agent nothing to do. */
export interface Admission {
  hear(code: BusWarning, subject: string): void;
  /** Resolves when the bus takes no beats of ours: its key is for another location, or another agent. */
  readonly refused: Promise<StartError>;
}

/** `keyFile` is VEDETTE_NATS_CREDS. */
export function watchAdmission({ location, agent, keyFile }: { location: string; agent: string; keyFile: string | undefined }): Admission {
  const { promise: refused, resolve: refuse } = Promise.withResolvers<StartError>();
  const key = keyFile === undefined ? 'this agent, which has no key' : `the key in ${keyFile}`;
  let atLocation = true;
  const ofLocation = (subject: string) => subject === subjects.job(subject.split('.')[3] ?? '', location);
  const sentence = () =>
    new StartError(
      atLocation
        ? `${key} is not for the agent ${agent} at ${location}: set VEDETTE_AGENT_ID to the agent that it is for`
        : `${key} is not for ${location}: give VEDETTE_NATS_CREDS the key of that location's agents, or VEDETTE_LOCATION the location of the key`,
    );
  return {
    refused,
    hear(code, subject) {
      if (code === 'forbidden_subscribe' && ofLocation(subject)) atLocation = false;
      // What else is forbidden may be told in the same breath, before it or after.
      if (code === 'forbidden_publish' && subject === subjects.beat(location, agent)) setImmediate(() => refuse(sentence()));
    },
  };
}
