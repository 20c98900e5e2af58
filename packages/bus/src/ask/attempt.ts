import type { Fleet } from '../presence/fleet.ts';

/** Where one attempt stands; docs/protocol.md has the table of what leads where. */
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

/** Agents beat every 250 ms while jobs run: two missed, and a little for the way. */
const SILENCE_MS = 550;

export interface AttemptOptions {
  number: 1 | 2;
  nonce: string;
  /** Pinned from the start; absent where the first frame binds it. */
  agent: string | undefined;
  sentAt: number;
  location: string;
  fleet: Fleet;
}

/** One publish of a job to one agent, or to whichever takes it, and what was heard of it. */
export class Attempt {
  readonly number: 1 | 2;
  readonly nonce: string;
  readonly sentAt: number;
  /** Asked of one agent from the start: an answer in its name is its own. */
  readonly named: boolean;
  state: AttemptState = 'sent';
  agent: string | undefined;
  #location: string;
  #fleet: Fleet;
  /** The last frame. */
  #frameAt: number | undefined;
  #askedAt = -Infinity;

  constructor({ number, nonce, agent, sentAt, location, fleet }: AttemptOptions) {
    this.number = number;
    this.nonce = nonce;
    this.agent = agent;
    this.sentAt = sentAt;
    this.named = agent !== undefined;
    this.#location = location;
    this.#fleet = fleet;
  }

  /** An agent took it, whatever became of it since. */
  get taken(): boolean {
    return this.#frameAt !== undefined;
  }

  /** Something is still expected of it. */
  get awaited(): boolean {
    return this.state !== 'lost' && this.state !== 'over';
  }

  /** A frame of its agent: it is at work, even if it was given up. */
  heard(agent: string, now: number): void {
    this.agent = agent;
    this.#frameAt = now;
    this.state = 'acked';
  }

  /** Sent once more to the agent that has it. */
  ask(now: number): void {
    this.#askedAt = now;
    this.state = 'asked';
  }

  /** Asked since it was last heard, by a frame or a beat. */
  get unanswered(): boolean {
    return this.state === 'asked' && this.#heardAt() <= this.#askedAt;
  }

  /** When its silence begins to mean something. */
  silentAt(): number {
    switch (this.state) {
      case 'sent':
      case 'rolled':
        return this.#publishedAt() + this.#ackLimitMs();
      case 'overdue':
        return this.#publishedAt() + SILENCE_MS;
      case 'acked':
        return this.#heardAt() + SILENCE_MS;
      case 'asked':
        return this.unanswered ? this.#askedAt + this.#ackLimitMs() : this.#heardAt() + SILENCE_MS;
      case 'lost':
      case 'over':
        return Infinity;
    }
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
