/** A report as series of `/probe`. */
export interface Scraped {
  /** Reason why the probe failed, and the same in words; empty for a success. */
  failed: { reason: string; error: string };
  /** Values by the name of their series; what is not known is absent. */
  series: Readonly<Record<string, number>>;
}

/** The module of `/probe` that a central operation is. */
export interface ScrapeForm {
  module: string;
  /** The parameters that a target stands for. */
  paramsOf(target: string): Record<string, unknown>;
  /** Reads a report as it was printed. */
  read(report: Record<string, unknown>, now: Date): Scraped;
}

export const SCRAPED_WELL: Scraped['failed'] = { reason: '', error: '' };
