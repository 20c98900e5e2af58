export type IssueType = 'error' | 'warning' | 'information';
export interface Issue<Code extends string = string> {
  code: Code;
  type: IssueType;
  message: string;
}

/** Makes the issues of one judge, by type. */
export function findings<Code extends string>(): Record<IssueType, (code: Code, message: string) => Issue<Code>> {
  const ofType = (type: IssueType) => (code: Code, message: string) => ({ code, type, message });
  return { error: ofType('error'), warning: ofType('warning'), information: ofType('information') };
}

/** Issues in the order of their codes' list; those of one code as they were found. */
export const sortIssues = <Code extends string>(issues: readonly Issue<Code>[], codes: readonly Code[]): Issue<Code>[] =>
  issues.toSorted((a, b) => codes.indexOf(a.code) - codes.indexOf(b.code));

/**
 * Judges how many records one name has: nothing for one, `skipped` for one beside others that do not start with the version,
 * which receivers discard before they count (RFC 9989 §4.10, BIMI draft §7.2), else `several`.
 */
export function judgeCount<Found>(
  { records, lookalikes }: { records: readonly unknown[]; lookalikes: readonly unknown[] },
  { skipped, several }: { skipped: Found; several: Found },
): Found[] {
  if (records.length + lookalikes.length < 2) return [];
  return [records.length === 1 ? skipped : several];
}
