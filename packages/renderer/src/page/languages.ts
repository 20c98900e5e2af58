const RANGE = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/;

/** The languages of an Accept-Language value (RFC 9110 §12.5.4), most wanted first, as the browser's setting has them: it weighs them again itself. */
export function languagesOf(acceptLanguage: string): string[] {
  const ranges = acceptLanguage.split(',').flatMap((part) => {
    const match = RANGE.exec(part);
    return match === null ? [] : [{ language: match[1]!, weight: Number(match[2] ?? '1') }];
  });
  return ranges
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ language }) => language);
}
