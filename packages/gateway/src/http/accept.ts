/** One media range of an `Accept` header. */
interface Range {
  type: string;
  quality: number;
}

/** The ranges that count for either type, the most specific first (RFC 9110 §12.5.1). */
const JSON_RANGES = ['application/json', 'application/*', '*/*'];
const EVENT_RANGES = ['text/event-stream', 'text/*', '*/*'];

/** Whether a client would rather have an event stream than JSON: JSON where it takes both as gladly, and where it says nothing. */
export function prefersEvents(accept: string | undefined): boolean {
  // Most say nothing, or nothing of text.
  if (accept === undefined || !/text\//i.test(accept)) return false;
  const ranges = accept.split(',').map(readRange);
  return qualityOf(EVENT_RANGES, ranges) > qualityOf(JSON_RANGES, ranges);
}

/** The weight of the most specific range; 0 when none matches. */
function qualityOf(wanted: readonly string[], ranges: readonly Range[]): number {
  for (const type of wanted) {
    const found = ranges.filter((range) => range.type === type);
    if (found.length > 0) return Math.max(...found.map(({ quality }) => quality));
  }
  return 0;
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  // An invalid weight is ignored: the type was named, after all.
  const [, quality] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(weight ?? '') ?? [];
  return { type, quality: quality === undefined ? 1 : Number(quality) };
}
