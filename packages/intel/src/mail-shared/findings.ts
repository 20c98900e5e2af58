import type { Issue, IssueType } from '@vedette/contract';

/** Makes the issues of one judge, by type. */
export function findings<Code extends string>(): Record<IssueType, (code: Code, message: string) => Issue<Code>> {
  const ofType = (type: IssueType) => (code: Code, message: string) => ({ code, type, message });
  return { error: ofType('error'), warning: ofType('warning'), information: ofType('information') };
}

/** Issues in the order of their codes' list; those of one code as they were found. */
export const sortIssues = <Code extends string>(issues: readonly Issue<Code>[], codes: readonly Code[]): Issue<Code>[] =>
  issues.toSorted((a, b) => codes.indexOf(a.code) - codes.indexOf(b.code));
