import type { Fleet } from '../presence/fleet.ts';

/** The state of one attempt at a job or a render; docs/protocol.md has the table of what leads where. */
export type AttemptState =
  /** Published; no frame has come back. */
  | 'sent'
  /** No ack in time: all agents were asked for a beat, to see who lives. */
  | 'rolled'
  /** No ack in time: it was sent once more, or another agent was asked. */
  | 'overdue'
  /** An agent has it. */
  | 'acked'
  /** Silent after its ack: it was sent once more, by name. */
  | 'asked'
  /** Silent for too long: it may still answer, but is not waited for. */
  | 'lost'
  /** Refused or undeliverable: nothing more comes. */
  | 'over';

/** How long an agent may be silent, ms. */
export interface Silence {
  /** Silence after an ack; then the agent gets the attempt once more. */
  ms: number;
  /** Further silence, after which the attempt is sent again. Absent: the time of an ack. */
  againMs?: number;
  /** Whole silence, after which the agent is lost. Absent: it is lost when it does not answer the second publish. */
  lostMs?: number;
}

/** Agents beat every 250 ms while jobs run: two missed, and a little for the way. */
const JOB_SILENCE: Silence = { ms: 550 };

export interface AttemptOptions {
  number: number;
  nonce: string;
  /** Pinned from the start; absent where the first frame binds it. */
  agent: string | undefined;
  sentAt: number;
  location: string;
  fleet: Pick<Fleet, 'ackLimitMs' | 'heardAt' | 'listeningSince'>;
  silence?: Silence;
}

/** One publish of a job to one agent, or to whichever takes it, and what was heard of it. A renderer is an agent here. */
export class Attempt {
  readonly number: number;
  readonly nonce: string;
  readonly sentAt: number;
  /** Asked of one agent from the start: an answer in its name is its own. */
  readonly named: boolean;
  state: AttemptState = 'sent';
  agent: string | undefined;
  /** Its first frame. */
  takenAt: number | undefined;
  #location: string;
  #fleet: AttemptOptions['fleet'];
  #silence: Silence;
  /** The last frame. */
  #frameAt: number | undefined;
  #askedAt = -Infinity;

  constructor({ number, nonce, agent, sentAt, location, fleet, silence = JOB_SILENCE }: AttemptOptions) {
    this.number = number;
    this.nonce = nonce;
    this.agent = agent;
    this.sentAt = sentAt;
    this.named = agent !== undefined;
    this.#location = location;
    this.#fleet = fleet;
    this.#silence = silence;
  }

  /** An agent took it, whatever became of it since. */
  get taken(): boolean {
    return this.takenAt !== undefined;
  }

  /** Something is still expected of it. */
  get awaited(): boolean {
    return this.state !== 'lost' && this.state !== 'over';
  }

  /** Whether a frame is of this attempt: its nonce is repeated, and only the agent that has it may answer. */
  isAnsweredBy(nonce: string, agent: string): boolean {
    return nonce === this.nonce && (this.agent === undefined || this.agent === agent);
  }

  /** A frame of its agent: it is at work, even if it was given up. */
  heard(agent: string, now: number): void {
    this.agent = agent;
    this.takenAt ??= now;
    this.#frameAt = now;
    this.state = 'acked';
  }

  /** Sent once more to the agent that has it. */
  ask(now: number): void {
    this.#askedAt = now;
    this.state = 'asked';
  }

  /** Whether a silent agent is lost; otherwise it is to be asked. */
  isLost(now: number): boolean {
    const { lostMs } = this.#silence;
    return this.#isUnanswered() && (lostMs === undefined || now >= this.#heardAt() + lostMs);
  }

  /** When its silence begins to mean something. */
  silentAt(): number {
    switch (this.state) {
      case 'sent':
      case 'rolled':
        return this.#publishedAt() + this.#ackLimitMs();
      case 'overdue':
        return this.#publishedAt() + this.#silence.ms;
      case 'acked':
        return this.#heardAt() + this.#silence.ms;
      case 'asked':
        return this.#isUnanswered() ? this.#unansweredUntil() : this.#heardAt() + this.#silence.ms;
      case 'lost':
      case 'over':
        return Infinity;
    }
  }

  /** Asked since it was last heard, by a frame or a beat. */
  #isUnanswered(): boolean {
    return this.state === 'asked' && this.#heardAt() <= this.#askedAt;
  }

  #unansweredUntil(): number {
    const { againMs = this.#ackLimitMs(), lostMs = Infinity } = this.#silence;
    return Math.min(this.#askedAt + againMs, this.#heardAt() + lostMs);
  }

  #ackLimitMs(): number {
    return this.#fleet.ackLimitMs(this.#location, this.agent);
  }

  /** While we ourselves were not listening it counts as not yet sent, or as heard. */
  #publishedAt(): number {
    return Math.max(this.sentAt, this.#fleet.listeningSince());
  }

  #heardAt(): number {
    const beatAt = this.agent === undefined ? -Infinity : this.#fleet.heardAt(this.#location, this.agent);
    return Math.max(this.#frameAt ?? this.sentAt, this.#fleet.listeningSince(), beatAt);
  }
}
