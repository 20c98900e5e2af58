/** Needs of a job besides its kind: exits of the agent, or a version of the protocol. */
export type Capability = 'vpn' | `1.${number}`;

/** The family in which a job contacts its target, as far as it is known before the job is sent. */
export type JobFamily = 4 | 6;

/** The facts about agents that a run may read; presence answers. Times are ms on one monotonic clock. */
export interface Fleet {
  /** The other agent to ask, heard most recently and since then: able, and not in `except`. Undefined without such an agent. */
  twin(
    location: string,
    kind: string,
    needs: Capability | undefined,
    except: readonly string[],
    heardSince: number,
    family?: JobFamily,
  ): string | undefined;
  /** How many agents could have taken a job that names none. */
  takers(location: string, kind: string, needs: Capability | undefined, family?: JobFamily): number;
  /** How long an ack may take: of this agent, or of whichever takes the job. */
  ackLimitMs(location: string, agent: string | undefined): number;
  /** When the agent was last heard; -Infinity for one that never was. */
  heardAt(location: string, agent: string): number;
  /** Whether the agent, or any of the location, was heard after this time. */
  heardSince(location: string, agent: string | undefined, since: number): boolean;
  /** Long silent or gone: this agent, or every agent of the location. */
  isDead(location: string, agent: string | undefined): boolean;
  /** Start of our own listening, moved on when we were stalled: silence before it says nothing. */
  listeningSince(): number;
}
