/** The status of an engine, for operators. */
export interface EngineStatus {
  id: string;
  name: string;
  subject: 'address' | 'name' | 'url';
  /** Its zone, or its list. */
  source: string;
  /** `disabled` by the catalogue; `keyed`: asked for clients with a key. `partly`: one family of addresses is switched off. */
  state: 'disabled' | 'keyed' | 'untried' | 'good' | 'partly' | 'off' | 'resting';
  /** Why it is not asked, or was not answered last; empty when all is well. */
  problem: string;
  /** The zone or URL at which it is asked. */
  servers: readonly string[];
  terms: string;
}

/** A feed, and what is used of it now. */
export interface FeedStatus {
  name: string;
  dataset: string;
  /** The list that it fills, or a part of. */
  list: string;
  enabled: boolean;
  rows: number;
  /** Whether what is used came with the release, from the source since, or from an operator's file. */
  origin: 'shipped' | 'source' | 'imported' | 'none';
  /** When that was known to be what the source has, as ISO 8601; empty where there is nothing. */
  confirmed_at: string;
  /** How long ago that was; where there is nothing, how long it has been missed. */
  age_seconds: number;
  /** How often it is fetched. */
  every_hours: number;
  /** Why the last try failed; empty when it did not. */
  problem: string;
  url: string;
  /** The findings that it reports. */
  tells: string;
  licence: string;
  attribution: string;
  /** Why it is off, or what to mind before it is turned on. */
  note: string;
}

/** The result of trying the source of a feed or of an engine. */
export interface SourceCheck {
  name: string;
  /**
   * `ok`, or the reason why it cannot be used. `unreachable`: no answer. `refused`: it serves others, or wants a key. `moved`: it has no such file or
   * zone. `failing`: its server fails. `terms`: a page for people came in place of data. `shape`: another form, or much more or less than before.
   * `lists_too_much`: it lists the innocent. `internal`: a defect of ours.
   */
  verdict: 'ok' | 'unreachable' | 'refused' | 'moved' | 'failing' | 'terms' | 'shape' | 'lists_too_much' | 'internal';
  /** A sentence for operators. */
  detail: string;
}
