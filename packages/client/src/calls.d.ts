export interface RequestOptions {
  /** Ends the request. A request that has sent something to its target by then is charged. */
  signal?: AbortSignal | undefined;
  /** Key that makes repetitions with the same body free for ten minutes. Random by default, the same for each retry of one call. */
  idempotencyKey?: string | undefined;
}

/** An event of a stream: the chosen locations first, entries as locations finish, and the report as the last one. */
export type StreamEvent<Chosen, Entry, Report> =
  | { event: 'locations'; data: Chosen }
  | { event: 'location'; data: Entry }
  | { event: 'report'; data: Report };
