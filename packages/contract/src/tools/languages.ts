const RANGE = /^[ \t]*(\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)[ \t]*(?:;[ \t]*q[ \t]*=[ \t]*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/;

/**
 * The languages of an Accept-Language value (RFC 9110 §12.5.4), most wanted first; those that are not wanted, and "any", are left out.
 * Undefined for an invalid value.
 */
export function languagesOf(acceptLanguage: string): string[] | undefined {
  const ranges: { language: string; weight: number }[] = [];
  for (const part of acceptLanguage.split(',')) {
    const match = RANGE.exec(part);
    if (match === null) return undefined;
    ranges.push({ language: match[1]!, weight: Number(match[2] ?? '1') });
  }
  const wanted = ranges.filter(({ language, weight }) => weight > 0 && language !== '*');
  return wanted.toSorted((a, b) => b.weight - a.weight).map(({ language }) => language);
}
