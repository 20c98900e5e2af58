import { readTnef } from '../files/index.ts';
import type { HtmlReading, IndicatorReader } from '../indicators/index.ts';
import type { Part } from '../mime/index.ts';
import type { MessageFacts } from '../report/index.ts';
import { differs } from './alternatives.ts';
import { LinkTexts } from './link-texts.ts';
import type { Contents } from './contents.ts';
import { linkUnsubscribes, textUnsubscribes } from './head/unsubscribe.ts';

/** Characters of text in all parts of a message that are read. */
export const TEXT_MAX_CHARS = 1024 * 1024;
/** Markup is mostly more than what it says. */
export const HTML_MAX_CHARS = 3 * TEXT_MAX_CHARS;

/** Gives out the text of parts until a message has had as much as is read. */
export class TextBudget {
  truncated = false;
  #text = TEXT_MAX_CHARS;
  #html = HTML_MAX_CHARS;

  plain(part: Part): string {
    const text = this.#cut(part.text(), this.#text);
    this.#text -= text.length;
    return text;
  }

  html(part: Part): string {
    const html = this.#cut(part.text(), this.#html);
    this.#html -= html.length;
    return html;
  }

  #cut(text: string, left: number): string {
    if (text.length <= left) return text;
    this.truncated = true;
    return text.slice(0, left).toWellFormed();
  }
}

/** The text of a message as its reader sees it. */
export interface Body {
  /** Its plain text, else what its HTML says. */
  text: string;
  /** The text of the HTML beside plain text; empty without either. */
  htmlText: string;
  /** Plain text and the HTML beside it say different things. */
  alternativesDiffer: boolean;
  /** Content-IDs and locations that its HTML refers to. */
  cids: ReadonlySet<string>;
  htmlOnly: boolean;
  hasUnsubscribeLink: boolean;
  links: MessageFacts['links'];
}

/** Reads the text of a message once, and passes all forms of it to the reader of indicators, including forms that mail programs do not show. */
export function readBody({ passages, calendars, files }: Contents, budget: TextBudget, indicators: IndicatorReader): Body {
  const cids = new Set<string>();
  const said: string[] = [];
  const shown: string[] = [];
  const links = new LinkTexts();
  let alternativesDiffer = false;
  let hasPlain = false;
  let hasHtml = false;
  let hasUnsubscribeLink = false;
  for (const { plain, html } of passages) {
    const texts = plain.map((part) => normalised(budget.plain(part))).filter((text) => text !== '');
    for (const text of texts) indicators.text(text);
    const readings: HtmlReading[] = html.map((part) => indicators.html(budget.html(part)));
    for (const { cids: referred } of readings) for (const cid of referred) cids.add(cid);
    for (const { links: found } of readings) links.add(found);
    budget.truncated ||= readings.some(({ truncated }) => truncated);
    hasUnsubscribeLink ||= texts.some(textUnsubscribes) || readings.some(({ links }) => links.some(linkUnsubscribes));
    hasPlain ||= texts.length > 0;
    hasHtml ||= html.length > 0;
    const htmlTexts = readings.map(({ text }) => text.trim()).filter((text) => text !== '');
    said.push(...(texts.length > 0 ? texts : htmlTexts));
    if (texts.length === 0 || htmlTexts.length === 0) continue;
    shown.push(...htmlTexts);
    alternativesDiffer ||= differs(texts.join('\n'), htmlTexts.join('\n'));
  }
  for (const part of calendars) indicators.calendar(budget.plain(part));
  const outlook = files.map(({ part }) => saidInTnef(part, budget, indicators));
  const text = said.join('\n\n') || outlook.find((each) => each !== '') || '';
  const htmlText = shown.join('\n\n');
  budget.truncated ||= Math.max(text.length, htmlText.length) > TEXT_MAX_CHARS;
  return {
    text: text.slice(0, TEXT_MAX_CHARS).toWellFormed(),
    htmlText: htmlText.slice(0, TEXT_MAX_CHARS).toWellFormed(),
    alternativesDiffer,
    cids,
    htmlOnly: hasHtml && !hasPlain,
    hasUnsubscribeLink,
    links: links.all,
  };
}

/** Lines end as everywhere else; what stands around them says nothing. */
const normalised = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

/**
 * The text of a winmail.dat of Outlook, under any file name; empty for other files. It mostly repeats the text beside it, with more
 * characters kept.
 */
function saidInTnef(part: Part, budget: TextBudget, indicators: IndicatorReader): string {
  const { text, html, truncated } = readTnef(part.content());
  budget.truncated ||= truncated;
  if (text !== undefined) indicators.text(text);
  const shown = html === undefined ? '' : indicators.html(html).text;
  return (text ?? shown).trim();
}
