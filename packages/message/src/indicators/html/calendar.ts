/** Properties whose values only look like addresses, URLs or numbers: identifiers, and where zones are described (RFC 5545 §3.8). */
const UNREAD =
  /^(?:UID|PRODID|TZID|TZURL|DTSTAMP|DTSTART|DTEND|DUE|CREATED|LAST-MODIFIED|RECURRENCE-ID|RELATED-TO|SEQUENCE|RRULE|RDATE|EXDATE|TRIGGER|X-WR-RELCALID|X-WR-TIMEZONE|X-MICROSOFT-CDO-[\w-]+|X-MS-OLK-[\w-]+|VERSION|METHOD|GEO)[;:]/i;
const HTML = /^(?:X-ALT-DESC|STYLED-DESCRIPTION|DESCRIPTION)[^:\n]{0,500}text\/html[^:\n]{0,500}:/i;
const PROPERTY = /^[\w-]{1,100}(?=[;:])/;

/** The text of a calendar: the values of its properties, one in each line, and those that are HTML. */
export function calendarText(calendar: string): { text: string; html: string[] } {
  const lines: string[] = [];
  const html: string[] = [];
  // RFC 5545 §3.1: a line that begins with a blank goes on with the one before.
  for (const line of calendar.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    if (UNREAD.test(line)) continue;
    const heading = HTML.exec(line);
    if (heading) html.push(unescaped(line.slice(heading[0].length)));
    else lines.push(unescaped(line.replace(PROPERTY, '')));
  }
  return { text: lines.join('\n'), html };
}

/** RFC 5545 §3.3.11. */
const unescaped = (value: string): string =>
  value.replace(/\\([nN,;\\])/g, (_all, mark: string) => (mark.toLowerCase() === 'n' ? '\n' : mark));
